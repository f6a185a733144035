import type { TextFile } from './tree.ts'

const kindSwitch = /\bswitch \((?:\w+\??\.)*kind\) \{\n/g

/** A `switch` on the kind of a field with a `default`: the compiler cannot name it to whoever adds a kind. */
export const kindDefaults = (files: readonly TextFile[]): string[] =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(kindSwitch)]
      .filter(({ index, 0: head }) => hasDefault(text.slice(index + head.length), indentAt(text, index)))
      .map(({ index }) => `${path}:${text.slice(0, index).split('\n').length} has a default`),
  )

const indentAt = (text: string, index: number): string =>
  /^ */.exec(text.slice(text.lastIndexOf('\n', index) + 1))?.[0] ?? ''

/** The cases of a switch stand one step further in than it; its end stands where it began. */
function hasDefault(after: string, indent: string): boolean {
  const lines = after.split('\n')
  const cases = lines.slice(0, lines.indexOf(`${indent}}`))
  return cases.some((line) => line.startsWith(`${indent}  default:`))
}

/** A table of some kinds only, for the same reason. */
export const partialKindTables = (files: readonly TextFile[]): string[] =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(/Partial<Record<(?:FieldKind|Field\['kind'\])|\[\w+ in FieldKind\]\?:/g)].map(
      ({ index }) => `${path}:${text.slice(0, index).split('\n').length} may lack a kind`,
    ),
  )
