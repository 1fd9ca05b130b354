import { describe, expect, it } from 'vitest';

import { abstractOf, constant, UNKNOWN, type AbstractValue } from '../model/abstract-value.js';
import { classifyHttp, type HttpRequest } from './http.js';
import { readVerbs } from './shipped-verbs.js';

function send(
  method: unknown,
  url: AbstractValue | string = UNKNOWN,
  body: AbstractValue = UNKNOWN,
  headers: AbstractValue = UNKNOWN,
) {
  const request: HttpRequest = {
    method: typeof method === 'string' || method === undefined ? constant(method) : (method as AbstractValue),
    methodPlace: '1.method',
    defaultMethod: 'GET',
    url: typeof url === 'string' ? constant(url) : url,
    body,
    headers,
  };
  return classifyHttp(request, readVerbs());
}

const path = (...parts: (string | AbstractValue)[]): AbstractValue => ({
  kind: 'template',
  parts: parts.map((part) => (typeof part === 'string' ? constant(part) : part)),
});

describe('classifyHttp', () => {
  it.each(['GET', 'get', 'HEAD', 'OPTIONS', 'PROPFIND', undefined])('reads for %s', (method) => {
    expect(send(method)).toMatchObject({ effect: 'none', certainty: 'always', touches: 'remote' });
  });

  it.each([
    ['PUT', 'set', 'yes'],
    ['DELETE', 'delete', 'yes'],
    ['PATCH', 'set', 'unknown'],
    ['POST', 'write', 'unknown'],
  ])('writes for %s', (method, kind, converges) => {
    expect(send(method)).toMatchObject({ effect: 'remote', certainty: 'always', kind, converges });
  });

  it.each([
    'https://a.example/search',
    'https://a.example/v1/items:search',
    'https://a.example/index/_search?q=1',
    'https://a.example/documents:runQuery',
    'https://a.example/api/getUsers',
    'https://a.example/rest/list-issues/',
    'https://a.example/jql',
  ])('reads by name for a POST to %s', (url) => {
    expect(send('POST', url)).toMatchObject({ effect: 'none', confidence: 'by-name' });
  });

  it('reads by name for a POST when only the query of its path is filled in', () => {
    const url = path('https://a.example/v1/', UNKNOWN, '/search?limit=', UNKNOWN, '&a=/b/', UNKNOWN);
    expect(send('POST', url)).toMatchObject({ effect: 'none', confidence: 'by-name' });
  });

  it.each(['https://a.example/oauth/token', 'https://a.example/login'])(
    'gets a token by a POST to %s',
    (url) => {
      expect(send('POST', url)).toMatchObject({ effect: 'none', kind: 'connection' });
    },
  );

  it('gets a token by a POST whose body has a grant type, wherever it goes', () => {
    const bodies: readonly AbstractValue[] = [
      abstractOf({ grant_type: 'client_credentials' }),
      constant('client_id=x&grant_type=refresh_token'),
      {
        kind: 'made',
        module: 'globalThis',
        path: ['URLSearchParams'],
        arguments: [abstractOf({ grant_type: 'x' })],
      },
    ];
    for (const body of bodies) {
      expect(send('POST', UNKNOWN, body)).toMatchObject({ effect: 'none', kind: 'connection' });
    }
    expect(send('POST', UNKNOWN, abstractOf({ grant: 'access' })).effect).toBe('remote');
  });

  it.each([
    'https://us.i.posthog.com/i/v0/e/',
    'https://api.segment.io/v1/track',
    'https://o1.ingest.sentry.io/api/1/envelope/',
  ])('tells what the program does by a POST to %s', (url) => {
    expect(send('POST', url)).toMatchObject({ effect: 'none', kind: 'telemetry', confidence: 'by-name' });
  });

  it.each(['https://us.posthog.com/api/projects/1/dashboards/', 'https://sentry.io/api/0/projects/'])(
    'writes by a POST to %s',
    (url) => {
      expect(send('POST', url).effect).toBe('remote');
    },
  );

  it('reads by a POST to one of several paths when each reads', () => {
    const paths = (...all: readonly string[]): AbstractValue => ({
      kind: 'one-of',
      values: all.map((one) => constant(one)),
    });
    expect(send('POST', paths('/search', '/search?limit=5'))).toMatchObject({ effect: 'none' });
    expect(send('POST', paths('/search', '/orders'))).toMatchObject({
      effect: 'remote',
      certainty: 'conditional',
      condition: { writesWhen: ['/orders'] },
    });
  });

  it('does what the tool does that another server is asked to call', () => {
    const call = (name: string): AbstractValue =>
      abstractOf({ jsonrpc: '2.0', method: 'tools/call', params: { name, arguments: {} } });
    expect(send('POST', UNKNOWN, call('searchDocs'))).toMatchObject({
      effect: 'none',
      confidence: 'by-name',
    });
    expect(send('POST', UNKNOWN, call('deleteDocs'))).toMatchObject({ effect: 'remote', kind: 'delete' });
  });

  it('opens and ends a session', () => {
    expect(send('POST', path(UNKNOWN, '/session'))).toMatchObject({ effect: 'none', kind: 'connection' });
    expect(send('DELETE', path(UNKNOWN, '/session/', UNKNOWN))).toMatchObject({ kind: 'connection' });
    expect(send('POST', path(UNKNOWN, '/session/', UNKNOWN, '/element')).effect).toBe('remote');
    expect(send('DELETE', path(UNKNOWN, '/user/', UNKNOWN))).toMatchObject({ kind: 'delete' });
  });

  it.each([
    [path('https://a.example/items'), 'no'],
    [path('https://a.example/', UNKNOWN, '/comments'), 'no'],
    [path('https://a.example/items/', UNKNOWN), 'unknown'],
    [path('https://a.example/items/', UNKNOWN, '/status'), 'unknown'],
    [path('https://a.example/items/', UNKNOWN, '/archive'), 'yes'],
    [path('https://a.example/create-user'), 'no'],
    [path(UNKNOWN, '/researchers'), 'no'],
  ])('tells a POST to a collection from one to something else: %#', (url, converges) => {
    expect(send('POST', url)).toMatchObject({ effect: 'remote', converges });
  });

  it('is not sure when a PUT or a PATCH appends', () => {
    expect(send('PUT', 'https://a.example/log/append').converges).toBe('unknown');
    expect(send('PUT', UNKNOWN, abstractOf({ increment: 1 })).converges).toBe('unknown');
    expect(send('PATCH', UNKNOWN, abstractOf([{ op: 'add', path: '/-', value: 1 }])).converges).toBe(
      'unknown',
    );
    expect(send('PATCH', UNKNOWN, abstractOf({ title: 'x' })).converges).toBe('yes');
    expect(send('PATCH', UNKNOWN, { kind: 'object', properties: {}, isOpen: true }).converges).toBe(
      'unknown',
    );
  });

  it('reads a literal JSON body', () => {
    expect(send('POST', 'https://a.example/graphql', constant('{"query":"{ viewer { id } }"}')).effect).toBe(
      'none',
    );
    expect(
      send('POST', 'https://a.example/rpc', constant('{"jsonrpc":"2.0","method":"issue.delete"}')),
    ).toMatchObject({ kind: 'delete' });
  });

  it('is undecided when the GraphQL document in the body is not known', () => {
    expect(send('POST', 'https://a.example/graphql')).toMatchObject({
      effect: 'remote',
      certainty: 'undecided',
    });
    const body: AbstractValue = {
      kind: 'object',
      properties: { query: { kind: 'input', path: 'document' } },
      isOpen: false,
    };
    expect(send('POST', 'https://a.example/graphql', body)).toMatchObject({
      certainty: 'undecided',
      condition: { input: 'document' },
    });
  });

  it('can not say what an unknown method does', () => {
    expect(send('FROB')).toMatchObject({ effect: 'unknown', certainty: 'undecided' });
  });

  it('lists which methods write when the method is one of several', () => {
    const methods = ['GET', 'POST', 'DELETE'].map((method) => constant(method));
    expect(send({ kind: 'one-of', values: methods })).toMatchObject({
      certainty: 'conditional',
      condition: { writesWhen: ['POST', 'DELETE'], readsWhen: ['GET'] },
      reason: 'can write when argument 1.method is POST or DELETE',
    });
    expect(send({ kind: 'one-of', values: [constant('PUT'), constant('DELETE')] })).toMatchObject({
      certainty: 'always',
      converges: 'yes',
    });
    expect(send({ kind: 'one-of', values: [constant('GET'), constant(undefined)] })).toMatchObject({
      effect: 'none',
    });
  });

  it('is undecided when one of several methods is not known', () => {
    expect(send({ kind: 'one-of', values: [constant('GET'), UNKNOWN] })).toMatchObject({
      effect: 'remote',
      certainty: 'undecided',
    });
  });
});
