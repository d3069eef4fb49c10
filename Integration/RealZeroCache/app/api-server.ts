// The API server behind zero-cache: turns named queries into queries, runs mutators on Postgres.
//
//   POST /query, /mutate   as zero-cache asks
//   POST /control          {"do": "revokeToken" | "restoreToken", "token": …}
//   GET  /health           200 when it is up
import {createServer, type IncomingMessage} from 'node:http';
import {ApplicationError, mustGetMutator, mustGetQuery} from '@rocicorp/zero';
import {handleMutateRequest, handleQueryRequest} from '@rocicorp/zero/server';
import {zeroPostgresJS} from '@rocicorp/zero/server/adapters/postgresjs';
import {mutators} from './mutators.ts';
import {queries} from './queries.ts';
import {schema} from './schema.ts';

const upstream = process.env.UPSTREAM_DB;
if (!upstream) throw new Error('UPSTREAM_DB is not set');
const database = zeroPostgresJS(schema, upstream);
const port = Number(process.env.API_PORT ?? 4850);

/** Users by token. A request without a token is nobody's. */
const tokens = new Map([
  ['token-u1', 'u1'],
  ['token-u1-renewed', 'u1'],
  ['token-u2', 'u2'],
]);
const revoked = new Set<string>();

type Answer = {status: number; body: unknown};

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? undefined : JSON.parse(text);
}

/** The user of a request; undefined if its token is refused. */
function userOf(request: IncomingMessage): string | null | undefined {
  const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) return null;
  return revoked.has(token) ? undefined : tokens.get(token);
}

function control(body: unknown): Answer {
  const command = body as {do?: string; token?: string} | undefined;
  if (command?.do === 'revokeToken' && command.token) revoked.add(command.token);
  else if (command?.do === 'restoreToken' && command.token) revoked.delete(command.token);
  else return {status: 400, body: {ok: false, error: 'unknown command'}};
  return {status: 200, body: {ok: true}};
}

async function answer(request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (url.pathname === '/health') return {status: 200, body: {ok: true}};
  const body = await readBody(request);
  if (url.pathname === '/control') return control(body);
  const userID = userOf(request);
  if (userID === undefined) return {status: 401, body: {error: 'bad token'}};
  const ctx = {userID};
  const query = Object.fromEntries(url.searchParams);
  switch (url.pathname) {
    case '/query':
      return {
        status: 200,
        body: await handleQueryRequest({
          schema,
          query,
          body,
          userID,
          handler: (name, args) => {
            if (name === 'forbidden') {
              throw new ApplicationError('not allowed', {details: {code: 'FORBIDDEN'}});
            }
            return mustGetQuery(queries, name).fn({args, ctx});
          },
        }),
      };
    case '/mutate':
      return {
        status: 200,
        body: await handleMutateRequest({
          dbProvider: database,
          query,
          body,
          userID,
          handler: transact =>
            transact((tx, name, args) => mustGetMutator(mutators, name).fn({tx, args, ctx})),
        }),
      };
    default:
      return {status: 404, body: {error: 'not found'}};
  }
}

createServer(async (request, response) => {
  let result: Answer;
  try {
    result = await answer(request);
  } catch (error) {
    console.error(error);
    result = {status: 500, body: {error: String(error)}};
  }
  response.writeHead(result.status, {'content-type': 'application/json'});
  response.end(JSON.stringify(result.body));
}).listen(port, '127.0.0.1', () => console.log(`API server on port ${port}`));
