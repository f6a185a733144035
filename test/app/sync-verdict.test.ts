import { expect, test } from 'vitest'
import { type Failure, failureName, offlineFailure, type Verdict, verdictOn } from '../../web/sync/request.ts'
import { backoff } from '../../web/sync/schedule.ts'

function refusal(status: number, name = ''): Failure {
  const type = name === '' ? '' : `urn:furrow:refusal:${name}`
  return { ...offlineFailure, failure: failureName(status, type), status, type }
}

const table: readonly (readonly [said: string, answer: Failure, verdict: Verdict])[] = [
  ['no answer', offlineFailure, 'again'],
  ['408', refusal(408, 'timeout'), 'again'],
  ['429', refusal(429, 'too-many-requests'), 'again'],
  ['503', refusal(503, 'busy'), 'again'],
  ['500', refusal(500), 'failed'],
  ['502 of a proxy', refusal(502), 'failed'],
  ['401 of the newer interface', refusal(401, 'unauthenticated-api'), 'log-in'],
  ['403 unauthenticated', refusal(403, 'unauthenticated'), 'log-in'],
  ['403 csrf-failed', refusal(403, 'csrf-failed'), 'again'],
  ['403 forbidden', refusal(403, 'forbidden'), 'no-right'],
  ['401 of a portal on the way', refusal(401), 'again'],
  ['403 of a portal on the way', refusal(403), 'again'],
  ['400 of a proxy', refusal(400), 'failed'],
  ['404 of a proxy', refusal(404), 'failed'],
  ['409 of a proxy', refusal(409), 'failed'],
  ['413 of a proxy', refusal(413), 'too-large'],
  ['404', refusal(404, 'not-found'), 'missing'],
  ['409', refusal(409, 'conflict'), 'refused'],
  ['412', refusal(412, 'precondition-failed'), 'compare'],
  ['413', refusal(413, 'too-large'), 'too-large'],
  ['400', refusal(400, 'bad-request'), 'refused'],
  ['422', refusal(422, 'invalid-content'), 'refused'],
]

test.each(table)('decides what the sender does after %s', (_said, answer, verdict) => {
  expect(verdictOn(answer)).toBe(verdict)
})

test('the backoff grows from 2 to 300 seconds, unless the server sends Retry-After', () => {
  const pauses = [1, 2, 3, 8, 9, 50].map((failures) => backoff(failures, null) / 1000)
  expect(pauses).toEqual([2, 4, 8, 256, 300, 300])
  expect(backoff(5, 7)).toBe(7000)
})
