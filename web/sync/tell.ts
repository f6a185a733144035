import { memory } from '../store/memory.ts'
import type { Me } from '../store/types.ts'
import { type Answer, type AskOptions, ask } from './ask.ts'
import { verdictOn } from './verdict.ts'

/** Asks the server to change something, in the session of whoever is logged in. */
export async function tell<T>(path: string, options: AskOptions): Promise<Answer<T>> {
  const answer = await ask<T>(path, withToken(options, memory.me.peek()?.csrf_token ?? null))
  if (verdictOn(answer) !== 'new-token') return answer
  const token = await newToken()
  return token === null ? answer : ask<T>(path, withToken(options, token))
}

function withToken(options: AskOptions, token: string | null): AskOptions {
  return { ...options, headers: { ...options.headers, ...(token === null ? {} : { 'x-csrf-token': token }) } }
}

/** Only of the account whose entries these are: somebody else may have logged in elsewhere. */
async function newToken(): Promise<string | null> {
  const answer = await ask<Me>('/me.json')
  const known = memory.me.peek()
  if (answer.failure !== null || known === null || answer.body.account.id !== known.account.id) return null
  memory.me.value = { ...known, csrf_token: answer.body.csrf_token }
  return answer.body.csrf_token
}

export const json = { 'content-type': 'application/json' }
