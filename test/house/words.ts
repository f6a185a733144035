import type { TextFile } from './tree.ts'

const emptyWords = 'utils?|helpers?|common|shared|misc|service|manager|handler|base|impl|dto'
const fileName = /^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.tsx?$/
const emptyFileName = new RegExp(`(^|-)(${emptyWords})(\\.test)?\\.tsx?$`)
const folderName = new RegExp(`^(${emptyWords})$`)

/** Names of files and folders that say nothing about what is inside. `base-address.ts` is fine, `address-base.ts` is not. */
export const fileNameFaults = (files: readonly TextFile[]): string[] =>
  files
    .map(({ path }) => path)
    .filter((path) => {
      const [name = '', ...folders] = path.split('/').reverse()
      return !fileName.test(name) || emptyFileName.test(name) || folders.some((folder) => folderName.test(folder))
    })

const declared = /\b(?:const|let|function|class|interface|type|enum)\s+([A-Za-z_$][\w$]*)/g
const emptyIdentifier =
  /^(utils?|helpers?|misc|impl|dto)$|[a-z](Utils?|Helpers?|Misc|Service|Manager|Handler|Impl|Dto|DTO)$|^(Base|Abstract)[A-Z]/

export const identifierFaults = (files: readonly TextFile[]): string[] =>
  withoutProse(files).flatMap(({ path, text }) =>
    [...text.matchAll(declared)]
      .map(([, name]) => name ?? '')
      .filter((name) => emptyIdentifier.test(name))
      .map((name) => `${path} declares ${name}`),
  )

/** Names that a newcomer had to look up; what they stood for has a plain one now. */
const unguessable =
  /(?<!--)\b(Recollection|StateMemory|Inquiry|Ground|House|RecordHouse|Keeping|Writing|Reading|Room|Crowd|Turns|bearSilence|takeIn|outgoing|leaving|arrival|Wish|wishes|Few|few|Leaf|Still|unseen|Herd|keeping|house|ground)\b|\bknown\(/

/** Files and identifiers of the sources that are named so; in the demo a herd is a herd and has a house. */
export function unguessableNames(all: readonly TextFile[]): string[] {
  const files = all.filter(({ path }) => !path.startsWith('programs/demo/'))
  return [
    ...files.map(({ path }) => path).filter((path) => unguessable.test(path.replace(/^.*\//, ''))),
    ...linesWith(unguessable, withoutProse(files)),
  ]
}

const linesWith = (pattern: RegExp, files: readonly TextFile[]): string[] =>
  files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  )

/** Written apart, so that this file does not carry them itself. */
export const marks = ['TO DO', 'FIX ME', 'X XX', 'HA CK'].map((mark) => mark.replace(' ', ''))

export const unfinishedMarks = (files: readonly TextFile[]): string[] =>
  linesWith(new RegExp(`\\b(${marks.join('|')})\\b`), files)

/** Comments that switch a check off without a word why, or switch off what has no excuse. */
export const silencedChecks = (files: readonly TextFile[]): string[] =>
  linesWith(/@ts-(ignore|nocheck)\b|@ts-expect-error\s*$|biome-ignore(-all| \S*\/noExplicitAny)/, files)

const innerRooms = /^src\/(records|reports|history|storage)\//
const formerMigrations = /^src\/storage\/migrations\//
const wordsOfADoor =
  /farm_asset|taxonomy_(term|vocabulary)|oldName|\bgeom\b|\.brackets\b|QueryEntry|\b(values|log|record|fields|drafts|tree)\??\.done\b|\bdone\??: *(yesNo|\{)/

/**
 * Lines of the inner rooms that speak as a door does. The kinds of fields say how each wire spells them, and migrations read what earlier
 * releases have written.
 */
export const doorWordsInside = (files: readonly TextFile[]): string[] =>
  linesWith(
    wordsOfADoor,
    files.filter(({ path }) => innerRooms.test(path) && !formerMigrations.test(path)),
  )

export const sleepingTests = (files: readonly TextFile[]): string[] =>
  linesWith(/\b(it|test|describe|bench)\s*\.\s*(skip|only|todo|fails|skipIf|runIf)\b|\bx(it|test|describe)\(/, files)

const withoutProse = (files: readonly TextFile[]): TextFile[] =>
  files.map(({ path, text }) => ({
    path,
    text: text
      .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
      .replace(/\/\/.*$/gm, '')
      .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''"),
  }))
