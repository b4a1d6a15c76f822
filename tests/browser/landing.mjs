// A client's redirect URI on loopback: a web server that remembers where the browser was sent.
import { createServer } from 'node:http';

const BLANK = '<!doctype html><html lang="en"><head><title>Back at the app</title><link rel="icon" href="data:,"></head><body>Done.</body></html>';

export class Landing {
  static async open(pages = {}) {
    const landing = new Landing();
    landing.arrivals = [];
    landing.pages = pages;
    landing.server = createServer((request, response) => {
      const url = new URL(request.url, landing.origin);
      landing.arrivals.push({ url, referrer: request.headers.referer });
      const type = url.pathname.endsWith('.js') ? 'text/javascript' : 'text/html';
      response.writeHead(200, { 'content-type': type }).end(landing.pages[url.pathname] ?? BLANK);
    });
    await new Promise((done) => landing.server.listen(0, '127.0.0.1', done));
    landing.origin = `http://127.0.0.1:${landing.server.address().port}`;
    landing.redirect = `${landing.origin}/callback`;
    return landing;
  }

  close() {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  }
}
