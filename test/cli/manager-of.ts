import { Client } from '../harness/client.ts'
import { furrow } from './built-furrow.ts'

/** Makes ada a manager of this farm by the command line, and lets her call the server of it. */
export async function managerOf(address: string, env: Readonly<Record<string, string>>): Promise<Client> {
  const password = 'green fields 42'
  await furrow(['user', 'add', 'ada', '--role', 'manager', '--password-stdin'], { env, input: password })
  const body = new URLSearchParams({ grant_type: 'password', client_id: 'farm', username: 'ada', password })
  const answer = await fetch(`${address}/oauth/token`, { method: 'POST', body })
  const { access_token } = (await answer.json()) as { access_token: string }
  return new Client(address, { authorization: `Bearer ${access_token}` })
}
