import type { CatalogueBundle } from '../../../src/doors/web/catalogue.ts'
import { say } from './say.ts'

/** What a column can stand for. */
export interface FieldChoice {
  /** As the farm calls it: `movement.area`. */
  readonly name: string
  readonly label: string
}

/** Everything that a column of such records can stand for; members of a part behind the part. */
export function fieldChoices({ fields }: Pick<CatalogueBundle, 'fields'>): readonly FieldChoice[] {
  const written = Object.entries(fields).filter(([, field]) => !field.read_only && field.computed === undefined)
  return [
    ...written.flatMap(([name, { label, fields: members = {} }]) => [
      { name, label },
      ...Object.entries(members).map(([member, inside]) => ({
        name: `${name}.${member}`,
        label: say('import.part', { part: label, member: inside.label }),
      })),
    ]),
    ...(['id', 'uuid'] as const).map((name) => ({ name, label: say(`import.field.${name}`) })),
  ]
}

/** Of the names and labels that the farm has found to be near, the fields that they mean. */
export function choicesNamed(words: readonly string[], choices: readonly FieldChoice[]): readonly FieldChoice[] {
  return choices.filter(({ name, label }) => words.includes(name) || words.includes(label))
}
