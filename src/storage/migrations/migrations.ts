import { farm } from './0001-farm.ts'
import { access } from './0002-access.ts'
import { countsAndKeptAnswers } from './0003-counts-and-kept-answers.ts'
import { paths } from './0004-paths.ts'
import { editionsAndServers } from './0005-editions-and-servers.ts'
import { innerWords } from './0006-inner-words.ts'
import { remembering } from './0007-remembering.ts'
import { quantities } from './0011-quantities.ts'
import type { Migration } from './migration.ts'

/** In order of their versions, which have no gaps. */
export const migrations: readonly Migration[] = [
  farm,
  access,
  countsAndKeptAnswers,
  paths,
  editionsAndServers,
  innerWords,
  remembering,
  quantities,
]

export const newest = migrations.length
