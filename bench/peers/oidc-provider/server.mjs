// npm's oidc-provider at its best: store in memory, nothing else to do, refresh tokens rotated as our contract has it.
// Started by `bench --peers` with a port, and with the ids and the secret of its two clients in the environment.
import Provider from "oidc-provider";

const port = Number(process.argv[2]);
const { PEER_APP: app, PEER_SYSTEM: system, PEER_SECRET: secret } = process.env;
const account = "patient-00000";

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: system,
      client_secret: secret,
      grant_types: ["client_credentials"],
      response_types: [],
      redirect_uris: [],
    },
    {
      client_id: app,
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      redirect_uris: ["https://app.example/callback"],
    },
  ],
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    introspection: { enabled: true, allowedPolicy: () => true },
    revocation: { enabled: true },
  },
  scopes: ["offline_access"],
  rotateRefreshToken: true,
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  ttl: { AccessToken: 600, ClientCredentials: 3600, Grant: 86400, RefreshToken: 86400 },
});

// Opens a grant as an approved authorization page would, so that the race needs no browser on this side either.
provider.use(async (ctx, next) => {
  if (ctx.path !== "/open-session") return next();
  const grant = new provider.Grant({ accountId: account, clientId: app });
  grant.addOIDCScope("offline_access");
  const token = new provider.RefreshToken({
    accountId: account,
    client: await provider.Client.find(app),
    grantId: await grant.save(),
    gty: "authorization_code",
    iiat: Math.floor(Date.now() / 1000),
    rotations: 0,
    scope: "offline_access",
  });
  ctx.body = { refresh_token: await token.save() };
});

provider.listen(port, "127.0.0.1");
