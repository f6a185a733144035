import './english-words.ts'
import { expect, test } from 'vitest'
import { accessEvents } from '../../src/access/events.ts'
import { eventWords, filters, kindsOf } from '../../web/screens/people/events-screen.tsx'

const event = { at: '1', user: { id: '1', name: 'Ann' }, by: null, client: null, address: null }

test('every kind of event that the server keeps has a sentence and one filter', () => {
  const filtered = filters.flatMap(kindsOf)
  expect(filtered.toSorted()).toEqual(accessEvents.toSorted())
  for (const kind of accessEvents) {
    const { title } = eventWords({ ...event, kind, client: 'Tractor app' })
    expect([kind, title]).toEqual([kind, expect.stringMatching(/^[A-Z][^{}]+$/)])
  }
})

test('an event names account, client and address; an unknown kind is shown by name', () => {
  const by = { id: '2', name: null }
  expect(eventWords({ ...event, kind: 'login-failed', client: 'farm', address: '203.0.113.9' })).toEqual({
    title: 'Ann: a wrong name or password',
    second: 'through farm, from 203.0.113.9',
  })
  expect(eventWords({ ...event, kind: 'account-blocked', by })).toEqual({
    title: 'Ann was blocked',
    second: 'by Somebody',
  })
  expect(eventWords({ ...event, user: null, kind: 'moved-to-the-moon' })).toMatchObject({ title: 'moved-to-the-moon' })
})
