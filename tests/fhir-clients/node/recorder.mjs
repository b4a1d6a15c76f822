// Between clients and the service: passes everything on as it is, and keeps the FHIR answers for the validators: for our own, and in
// the directory that RECORDGATE_ANSWERS names, for the suite `answers`.
import { appendFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';

export class Recorder {
  answers = [];

  static async listen() {
    const recorder = new Recorder();
    recorder.server = createServer((asked, answer) => recorder.pass(asked, answer));
    await new Promise((ready) => recorder.server.listen(0, '127.0.0.1', ready));
    recorder.url = `http://127.0.0.1:${recorder.server.address().port}`;
    return recorder;
  }

  pass(asked, answer) {
    const { method, url: path, headers } = asked;
    const onward = request({ host: '127.0.0.1', port: this.port, method, path, headers }, (given) => {
      const pieces = [];
      given.on('data', (piece) => pieces.push(piece));
      given.on('end', () => {
        const body = Buffer.concat(pieces);
        const isFhir = given.headers['content-type']?.startsWith('application/fhir+json') && body.length > 0;
        if (isFhir) this.keep({ to: `${method} ${path}`, status: given.statusCode, resource: JSON.parse(body) });
        answer.writeHead(given.statusCode, given.rawHeaders);
        answer.end(body);
      });
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  }

  keep(answer) {
    this.answers.push(answer);
    const directory = process.env.RECORDGATE_ANSWERS;
    if (directory) appendFileSync(join(directory, 'node-clients.ndjson'), `${JSON.stringify(answer)}\n`);
  }

  close() {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  }
}
