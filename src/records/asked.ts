import { type Fault, Refusal } from '../refusal.ts'

/** One `name[bracket]…=value` of a query, as a door hands it over. */
export interface QueryEntry {
  readonly name: string
  readonly brackets: readonly string[]
  readonly value: string
}

export function badQuery(field: string, message: string, allowed?: readonly string[]): Refusal {
  const fault: Fault = allowed === undefined ? { field, message } : { field, message, allowed }
  return new Refusal('bad-query', `${field}: ${message}.`, { faults: [fault] })
}
