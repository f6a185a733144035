import { type QueryEntry, readQuery } from '../doors/http/query.ts'
import { BadValue, type ReadText } from './option.ts'

/** One thing that is asked for, as an address would have it. */
export type Asked = readonly [name: string, value: string]

/** `done=1`, `timestamp[ge]=1700000000`. */
export const filterText: ReadText<Asked> = (text) => {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) throw new BadValue('NAME=VALUE, such as done=1')
  return [name, value]
}

/** What is asked for, read as the query of an address is; what was not given is left out. */
export function entriesOf(asked: readonly (readonly [string, string | undefined])[]): readonly QueryEntry[] {
  const given = asked.flatMap(([name, value]) => (value === undefined ? [] : [`${inQuery(name)}=${inQuery(value)}`]))
  return readQuery(`?${given.join('&')}`)
}

const inQuery = encodeURIComponent
