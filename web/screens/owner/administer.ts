import { signal } from '@preact/signals'
import { type Answer, jsonHeaders, type RequestOptions, tellServer } from '../../sync/request.ts'

interface Confirmation {
  /** Called with whether the user confirmed the password. */
  readonly answer: (isShown: boolean) => void
}

/** Set while the password is asked for. */
export const confirmation = signal<Confirmation | null>(null)

/** Requests an administrative address; asks for the password first if the server demands it. */
export async function administer<T>(path: string, options: RequestOptions = {}): Promise<Answer<T>> {
  const answer = await tellServer<T>(path, options)
  if (answer.failure === null || answer.type !== 'urn:furrow:refusal:unconfirmed') return answer
  return (await askForPassword()) ? tellServer<T>(path, options) : answer
}

/** Like `administer`, with a body. */
export const administerWith = <T>(
  path: string,
  body: unknown,
  method: 'POST' | 'PUT' | 'DELETE' = 'POST',
): Promise<Answer<T>> => administer(path, { method, body: JSON.stringify(body), headers: jsonHeaders })

async function askForPassword(): Promise<boolean> {
  return new Promise((resolve) => {
    confirmation.value = {
      answer: (isShown) => {
        confirmation.value = null
        resolve(isShown)
      },
    }
  })
}

export type PasswordResult = 'right' | 'wrong' | 'too-often' | 'offline'

export async function confirmPassword(password: string): Promise<PasswordResult> {
  const body = JSON.stringify({ password })
  const answer = await tellServer('/administer/confirmation', { method: 'POST', body, headers: jsonHeaders })
  if (answer.failure === null) return 'right'
  if (answer.status === 429) return 'too-often'
  return answer.failure === 'offline' ? 'offline' : 'wrong'
}
