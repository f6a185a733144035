import { CannotOpen } from '../disk/cannot-open.ts'
import { postgresCode } from '../sql/errors.ts'

/** Rights of this user in the schema of the farm. */
export interface Rights {
  readonly user: string
  readonly database: string
  /** The first of the search path that is there; the first at all where this user may use none of them. */
  readonly schema: string | null
  /** 1 or 0. */
  readonly mayUse: number
  readonly mayCreate: number
}

/** One row of Rights. */
export const rightsInSql = `select current_user as user, current_database() as database, schema,
    has_schema_privilege(schema, 'usage') as "mayUse", has_schema_privilege(schema, 'create') as "mayCreate"
  from (select coalesce(current_schema()::text, (
    select nspname::text from unnest(string_to_array(current_setting('search_path'), ',')) with ordinality as path (word, place)
      join pg_namespace on nspname = btrim(word, ' "') order by place limit 1)) as schema) as here`

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Since PostgreSQL 15, creating in the schema `public` needs an explicit right. */
export function requireRights({ user, database, schema, mayUse, mayCreate }: Rights): void {
  if (schema === null)
    throw new CannotOpen(
      `No schema of the search path is there in the database ${database}: create one, or name another.`,
    )
  if (mayUse === 1 && mayCreate === 1) return
  throw new CannotOpen(
    `The user ${user} may not ${mayUse === 1 ? 'create tables in' : 'use'} the schema ${schema} of the database ${database}. ` +
      `As an administrator of that database run: GRANT USAGE, CREATE ON SCHEMA ${quoted(schema)} TO ${quoted(user)};`,
  )
}

const insufficientPrivilege = '42501'

/** A missing right in words for the operator; any other error is returned as it is. */
export function explainedRight(error: unknown, { user, database }: Pick<Rights, 'user' | 'database'>): unknown {
  if (postgresCode(error) !== insufficientPrivilege || !(error instanceof Error)) return error
  const advice = error.message.includes('for database')
    ? `GRANT CREATE ON DATABASE ${quoted(database)} TO ${quoted(user)};`
    : `GRANT OWNER TO ${quoted(user)}; with the user that the tables of the farm belong to in the place of OWNER`
  return new CannotOpen(
    `The user ${user} lacks a right in the database ${database} (${error.message}). As an administrator of that database run: ${advice}`,
    { cause: error },
  )
}
