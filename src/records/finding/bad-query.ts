import { type Fault, Refusal } from '../../refusal.ts'

/** Refuses a question, naming what of it cannot be asked. */
export function badQuery(field: string, message: string, allowed?: readonly string[]): Refusal {
  const fault: Fault = allowed === undefined ? { field, message } : { field, message, allowed }
  return new Refusal('bad-query', `${field}: ${message}.`, { faults: [fault] })
}
