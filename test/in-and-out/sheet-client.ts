import { expect } from 'vitest'
import type { Answer, Client, Json } from '../harness/client.ts'

/** Sends a sheet. */
export const sendSheet = (client: Client, path: string, body: string | Uint8Array): Promise<Answer> =>
  client.send('POST', path, { headers: { 'content-type': 'text/csv' }, body })

/** Sends a sheet that is to be taken; answers what became of it. */
export async function taken(client: Client, path: string, body: string | Uint8Array): Promise<Json> {
  const answer = await sendSheet(client, path, body)
  expect(answer.status, answer.text.slice(0, 2000)).toBe(200)
  return answer.body
}

/** Sends a sheet that is to be refused; answers its faults as `row column: message`. */
export async function faultsOf(client: Client, path: string, body: string | Uint8Array): Promise<string[]> {
  const answer = await sendSheet(client, path, body)
  expect(answer.status, answer.text.slice(0, 2000)).toBe(422)
  return answer.body.rows.flatMap(({ row, faults }: Json) =>
    faults.map(({ column, message }: Json) => `${row} ${column}: ${message}`),
  )
}

export const results = (outcome: Json): string[] => outcome.rows.map(({ result }: Json) => result)
