import type { Transaction } from '../database.ts'
import { ask, fragment, word } from '../sql/fragment.ts'
import { forever } from './stay-rows.ts'

/** The time at which the next stay of the same thing begins, or never. */
export const endOfStay = fragment`coalesce((
  select later.timestamp from stay as later
  where later.kind = stay.kind and later.thing_type = stay.thing_type and later.thing_id = stay.thing_id
    and (later.timestamp, later.log_id) > (stay.timestamp, stay.log_id)
  order by later.timestamp, later.log_id limit 1
), ${word(`${forever}`)})`

/** Ends every stay when the next one begins. */
export async function endAllStays(tx: Transaction): Promise<void> {
  await ask(tx, fragment`update stay set until = ${endOfStay}`)
}
