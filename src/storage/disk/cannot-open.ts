import { resolve } from 'node:path'
import type { ServerSettings } from '../../config.ts'

/** The database or its directory cannot be used as it is. The message is for the operator, who can do something about it. */
export class CannotOpen extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CannotOpen'
  }
}

/** There is nothing to open: no farm was ever made there. */
export class NoFarm extends CannotOpen {
  constructor(place: string, options: string) {
    super(`There is no farm in ${place}. Say where it is with ${options}.`)
    this.name = 'NoFarm'
  }
}

/** The storage of the records: `farm.sqlite` in the data directory, or a PostgreSQL address. */
export type StoragePlace = Pick<ServerSettings, 'data' | 'database'>

/** The place for messages; an address may hold a password and is not repeated. */
export const placeName = ({ data, database }: StoragePlace): string =>
  database === null ? resolve(data) : `the database ${databaseNameIn(database)}`

/** `postgres://user:password@one:5432,two:5432/farm?…`, in parts. */
const addressForm = /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?([^/?#]*)(\/[^?#]*)?(\?.*)?$/

/** One address per host. libpq's target_session_attrs is left out: only a server that can be written to is ever used. */
export function addressesIn(url: string): readonly string[] {
  const [, scheme = '', login = '', hosts = '', path = '', query = ''] = addressForm.exec(url) ?? []
  const parameters = new URLSearchParams(query)
  parameters.delete('target_session_attrs')
  const others = parameters.size === 0 ? '' : `?${parameters}`
  return hosts.split(',').map((host) => `${scheme}${login}${host}${path}${others}`)
}

/** True for an address that can be used. */
export const isPostgresAddress = (url: string): boolean =>
  addressForm.test(url) &&
  addressesIn(url).every((one) => URL.canParse(one)) &&
  ['', 'any', 'read-write', 'primary'].includes(sessionAttributesIn(url))

const sessionAttributesIn = (url: string): string =>
  new URLSearchParams(addressForm.exec(url)?.[5] ?? '').get('target_session_attrs') ?? ''

/** The name of the database that an address names. */
export const databaseNameIn = (url: string): string => new URL(addressesIn(url)[0] ?? url).pathname.slice(1)
