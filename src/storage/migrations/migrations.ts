import { farm } from './0001-farm.ts'
import { access } from './0002-access.ts'
import { countsAndKeptAnswers } from './0003-counts-and-kept-answers.ts'
import { paths } from './0004-paths.ts'
import { editionsAndServers } from './0005-editions-and-servers.ts'
import { innerWords } from './0006-inner-words.ts'
import { remembering } from './0007-remembering.ts'
import { accountsAndGrants } from './0008-accounts-and-grants.ts'
import { thingsAndPlaces } from './0009-things-and-places.ts'
import { quantities } from './0010-quantities.ts'
import { files } from './0011-files.ts'
import { logsOfATypeByTime } from './0012-logs-of-a-type-by-time.ts'
import { confirmedSessions } from './0013-confirmed-sessions.ts'
import { invitations } from './0014-invitations.ts'
import { reportLinks } from './0015-report-links.ts'
import { personalTokens } from './0016-personal-tokens.ts'
import type { Migration } from './ddl.ts'

/** Sorted by version. */
export const migrations: readonly Migration[] = [
  farm,
  access,
  countsAndKeptAnswers,
  paths,
  editionsAndServers,
  innerWords,
  remembering,
  accountsAndGrants,
  thingsAndPlaces,
  quantities,
  files,
  logsOfATypeByTime,
  confirmedSessions,
  invitations,
  reportLinks,
  personalTokens,
]

export const newest = Math.max(...migrations.map(({ version }) => version))

/** The migrations from one version to another. */
export const migrationsBetween = (from: number, to: number): readonly Migration[] =>
  migrations.filter(({ version }) => version > from && version <= to)
