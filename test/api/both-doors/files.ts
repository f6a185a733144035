import * as fc from 'fast-check'
import { dataUri, pngBytes } from '../../records/sample-files.ts'
import type { Draw, Fact, Newer, Saying } from './fact.ts'
import { anyText, some } from './kinds.ts'

/** A photo or another file, and what the newer generation says of it. */
export interface FileModel {
  readonly kind: FileKind
  readonly nth: number
  /** Unknown until the newer generation has shown it. */
  uuid: string | undefined
  readonly texts: Readonly<Record<string, string | null>>
}

export type FileKind = 'image' | 'file'

let count = 0

export const newFile = (kind: FileKind): FileModel => ({
  kind,
  nth: count++,
  uuid: undefined,
  texts: kind === 'image' ? { alt: null, title: null } : { description: null },
})

/** No two files hold the same. */
export const bytesOf = ({ kind, nth }: FileModel): Buffer =>
  kind === 'image' ? pngBytes(3, 2, `photo ${nth}`) : Buffer.from(`file ${nth}`)

const olderText = (file: FileModel): string =>
  dataUri(file.kind === 'image' ? 'image/png' : 'text/plain', bytesOf(file))

type Files = readonly FileModel[]

const newerFace = (name: FileKind): NonNullable<Fact<Files>['newer']> => ({
  say: ({ draw, world, before }: Saying<Files>) => {
    const kept = some(draw, before, 2)
    const linked = draw(fc.boolean) ? [...kept, world.upload(name)] : kept
    const told = linked.map((file) => retold(draw, file))
    return {
      sent: { relationships: { [name]: told.map(({ identifier }) => identifier) } },
      after: told.map(({ file }) => file),
    }
  },
  show: (files) => ({ relationships: { [name]: files.map(({ uuid, texts }) => ({ id: uuid, ...texts })) } }),
  learn: (files, { relationships }: Newer) => {
    const shown = (relationships?.[name] ?? []) as readonly { readonly id: string }[]
    for (const [index, file] of files.entries()) file.uuid ??= shown[index]?.id
  },
})

/** Named alone, or with other texts. */
function retold(draw: Draw, file: FileModel): { readonly file: FileModel; readonly identifier: object } {
  const identifier = { type: 'file--file', id: file.uuid }
  if (draw(fc.boolean)) return { file, identifier }
  const texts = Object.fromEntries(
    Object.keys(file.texts).map((name) => [name, draw(fc.boolean) ? anyText(draw).replace('\n', ' ') : null]),
  )
  return { file: { ...file, texts }, identifier: { ...identifier, meta: texts } }
}

const filesIn = (older: 'files' | 'images', newer: FileKind): Fact<Files> => ({
  name: older,
  keptIn: [older],
  initial: () => [],
  older: {
    say: ({ draw, before }) => {
      const kept = some(draw, before, 2)
      const after = draw(fc.boolean) ? [...kept, newFile(newer)] : kept
      return { sent: { [older]: after.map(olderText) }, after }
    },
    show: (files) => ({ [older]: files.map(olderText) }),
  },
  newer: newerFace(newer),
})

export const files = filesIn('files', 'file')
export const images = filesIn('images', 'image')

const hidden = ({ older: _, ...fact }: Fact<Files>): Fact<Files> => fact
export const hiddenFiles = hidden(files)
export const hiddenImages = hidden(images)
