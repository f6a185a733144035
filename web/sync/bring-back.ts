import { typeOnTheWire } from '../store/row.ts'
import type { KeptRecord } from '../store/types.ts'
import type { Answer } from './ask.ts'
import { wakeUp } from './occasions.ts'
import { json, tell } from './tell.ts'

/** Out of the trash, with what it refers to that lies there too. This needs signal. */
export function bringBack(uuid: string): Promise<Answer<unknown>> {
  return thenLook(tell(`/trash/${uuid}/restore?with=referents`, { method: 'POST' }))
}

/** A record as it was at an earlier revision, all of it. This needs signal, too. */
export function revertTo({ type, id }: Pick<KeptRecord, 'type' | 'id'>, revision: number): Promise<Answer<unknown>> {
  const options = { method: 'POST', headers: json, body: JSON.stringify({ revision }) } as const
  return thenLook(tell(`/${typeOnTheWire[type]}/${id}/revert`, options))
}

/** What has changed there is soon to be seen here. */
export async function thenLook<T>(told: Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await told
  if (answer.failure === null) wakeUp()
  return answer
}
