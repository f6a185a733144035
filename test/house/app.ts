import { posix } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { specifiersOf } from './imports.ts'
import type { TextFile } from './tree.ts'

/** A file of the app imports from its own room and from rooms to its left. */
const rooms = ['words', 'store', 'sync', 'look', 'forms', 'map', 'entries', 'screens', 'app', 'shared-report']

/** It runs where the app does not. */
const alone = 'web/worker.ts'

/** What any room may know, and the only room that may know each other library. */
const everywhere = /^preact(\/hooks)?$|^@preact\/signals$/
const roomOfLibrary: readonly (readonly [RegExp, string])[] = [
  [/^ol($|\/)/, 'map'],
  [/^idb$/, 'store'],
  [/^lean-qr$/, 'screens'],
]

const roomOf = (path: string): string => path.split('/')[1]?.replace(/\.tsx?$/, '') ?? ''
const isOwn = (specifier: string): boolean => specifier.startsWith('.')
const targetOf = ({ path }: TextFile, specifier: string): string =>
  posix.normalize(posix.join(posix.dirname(path), specifier))

export const roomFaults = (files: readonly TextFile[]): string[] =>
  files.flatMap((file) =>
    specifiersOf(file)
      .filter(isOwn)
      .map((specifier) => targetOf(file, specifier))
      .filter((target) => {
        if (file.path === alone) return true
        if (target.startsWith('src/')) return false
        const [from, to] = [rooms.indexOf(roomOf(file.path)), rooms.indexOf(roomOf(target))]
        return to < 0 || from < to
      })
      .map((target) => `${file.path} imports ${target}`),
  )

export const appLibraryFaults = (files: readonly TextFile[]): string[] =>
  files.flatMap((file) =>
    specifiersOf(file)
      .filter((specifier) => !isOwn(specifier) && !everywhere.test(specifier))
      .filter(
        (specifier) => !roomOfLibrary.some(([library, room]) => library.test(specifier) && roomOf(file.path) === room),
      )
      .map((specifier) => `${file.path} imports ${specifier}`),
  )

const fromServer = /^[ \t]*(import|export)\b(?! type\b)[^'"`;=]*?\bfrom\s*['"](?:\.\.\/)+src\/[^'"\n]+['"]/gm

/** The words, what both have to reckon alike, names of bundles and reports, and how files are recognised. */
const readByBoth =
  /\/src\/(?:words\/.+\.(?:ts|json)|(?:client\/changes|client\/requests|fields\/wkt\/size|farm\/bundle-names|reports\/report-names|formats\/file-formats)\.ts)'$/

/** The app knows what the server says, not how it comes to say it. */
export const serverFaults = (files: readonly TextFile[]): string[] =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(fromServer)]
      .filter(([line]) => !readByBoth.test(line))
      .map(([line]) => `${path}: ${line.trim()}`),
  )

const markup =
  /\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|createContextualFragment|srcdoc)\b|\bdocument\.write|\beval\(|\bnew Function\b|\bjavascript:/

/** Whatever would turn text into markup or code. */
export const markupFaults = (files: readonly TextFile[]): string[] =>
  files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (markup.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  )

/** Attributes whose words people read or hear. */
const spoken =
  /^(title|text|label|alt|placeholder|second|hint|name|aria-(label|description|roledescription|valuetext))$/
const isWords = (text: unknown): boolean => typeof text === 'string' && /\p{L}{2}/u.test(text)
/** A name of a field or an icon is one word in small letters; what is read begins with a large one or has several. */
const isRead = (text: unknown): boolean => isWords(text) && /\p{Lu}|\s/u.test(String(text))

interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

/** Words in a screen that stand there and not in the file of the language. */
export const literalFaults = (files: readonly TextFile[]): string[] =>
  files
    .filter(({ path }) => path.endsWith('.tsx'))
    .flatMap(({ path, text }) =>
      wordsIn(parseAst(text, { lang: 'tsx' }) as unknown as Node).map((words) => `${path}: ${words}`),
    )

function wordsIn(node: Node): string[] {
  return [...ownWords(node), ...childrenOf(node).flatMap(wordsIn)]
}

function ownWords(node: Node): string[] {
  if (node.type === 'JSXText') return isWords(node.value) ? [String(node.value).trim()] : []
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return (node.children as readonly Node[]).flatMap((child) =>
      child.type === 'JSXExpressionContainer' ? textsOf(child.expression as Node).filter(isWords) : [],
    )
  if (node.type !== 'JSXAttribute' || !spoken.test(String((node.name as Node).name))) return []
  return textsOf(node.value as Node | null).filter(isRead)
}

/** The texts that an expression may come to, as far as they are written in it. */
function textsOf(node: Node | null): string[] {
  if (node === null) return []
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type === 'JSXExpressionContainer') return textsOf(node.expression as Node)
  if (node.type === 'TemplateLiteral')
    return (node.quasis as readonly { value: { cooked: string } }[]).map(({ value }) => value.cooked)
  if (node.type === 'ConditionalExpression')
    return [...textsOf(node.consequent as Node), ...textsOf(node.alternate as Node)]
  if (node.type === 'LogicalExpression') return textsOf(node.right as Node)
  return []
}

const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []))

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
