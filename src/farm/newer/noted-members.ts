import type { Field } from '../../fields/field.ts'
import { whole, yesNo } from '../../fields/number.ts'
import { reference } from '../../fields/reference.ts'
import { text } from '../../fields/text.ts'
import { timestamp } from '../../fields/time.ts'
import type { Family, Member, Note, ResourceType } from './resource-type.ts'

/** What a family calls the number and the type of its records. */
const words: Readonly<Record<Family, { readonly number: string; readonly bundle: string; readonly config: string }>> = {
  asset: { number: 'drupal_internal__id', bundle: 'asset_type', config: 'asset_type--asset_type' },
  log: { number: 'drupal_internal__id', bundle: 'log_type', config: 'log_type--log_type' },
  quantity: { number: 'drupal_internal__id', bundle: 'quantity_type', config: 'quantity_type--quantity_type' },
  taxonomy_term: {
    number: 'drupal_internal__tid',
    bundle: 'vid',
    config: 'taxonomy_vocabulary--taxonomy_vocabulary',
  },
}

const number = (label: string) => whole(label, { min: 1, max: Number.MAX_SAFE_INTEGER })

/** What the service itself notes of every resource of a family. */
export function notedMembers({ family }: Pick<ResourceType, 'family'>): readonly Member[] {
  const { number: numberName, bundle, config } = words[family]
  const isTerm = family === 'taxonomy_term'
  return [
    noted(numberName, number('ID'), 'number'),
    noted('drupal_internal__revision_id', number('Revision ID'), 'revision'),
    ...(family === 'quantity' ? [] : [noted('langcode', text('Language'), 'language')]),
    noted('revision_created', timestamp('Revision create time'), 'changed'),
    ...(isTerm ? [noted('status', yesNo('Published'), 'yes')] : []),
    ...(isTerm ? [] : [noted('created', timestamp('Created'), 'created')]),
    noted('changed', timestamp('Changed'), 'changed'),
    ...(family === 'quantity'
      ? []
      : [
          noted('default_langcode', yesNo('Default translation'), 'yes'),
          noted('revision_translation_affected', yesNo('Revision translation affected'), 'yes'),
        ]),
    { ...noted(bundle, reference(isTerm ? 'Vocabulary' : 'Type', 'vocabulary'), 'bundle'), targets: [config] },
    noted('revision_user', reference('Revision user', 'user'), 'reviser'),
    ...(isTerm ? [] : [noted('uid', reference('Author', 'user'), 'author')]),
  ]
}

const noted = (name: string, field: Field, note: Note): Member => ({
  name,
  field,
  source: { of: 'note', note },
  given: 'ignored',
})
