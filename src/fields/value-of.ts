import type { Field, Fields } from './field.ts'
import type { DraftOf } from './value.ts'

/** What is kept of one value of each kind: of most what was asked for, of what is referred to its id. */
interface ValueOfKind extends Omit<DraftOf, 'reference' | 'attachment' | 'part'> {
  readonly reference: number
  readonly attachment: number
}

type OneValue<F extends Field> = F extends { readonly kind: 'part'; readonly fields: infer Inside extends Fields }
  ? ValuesOf<Inside>
  : F['kind'] extends keyof ValueOfKind
    ? ValueOfKind[F['kind']]
    : never

type ValueOf<F extends Field> = F extends { readonly many: true } ? readonly OneValue<F>[] : OneValue<F>

/** What a record with these fields holds: a field that is called otherwise there is none here. */
export type ValuesOf<F extends Fields> = { readonly [Name in keyof F]?: ValueOf<F[Name]> }
