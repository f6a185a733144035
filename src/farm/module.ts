import { attachments } from '../fields/attachment.ts'
import { choice } from '../fields/choice.ts'
import { geometry } from '../fields/geometry.ts'
import { decimal, whole, yesNo } from '../fields/number.ts'
import { part } from '../fields/part.ts'
import { reference, termsOf } from '../fields/reference.ts'
import { longText, richText, text } from '../fields/text.ts'
import { period, timestamp } from '../fields/time.ts'
import { standardFields as standardAssetFields } from './assets/standard-fields.ts'
import type { Bundle, Choice, Farm, RecordType, Vocabulary } from './farm.ts'
import { standardFields as standardLogFields } from './logs/standard-fields.ts'
import type { ClientDeclaration } from './people/clients.ts'
import type { Scope } from './people/scopes.ts'

export type { Field, Fields } from '../fields/field.ts'
export type { Bundle, Choice, ClientDeclaration, Farm, Scope, Vocabulary }

/** What a module is handed: the words to describe fields with, and the ways to add to a farm. */
export const kit = {
  text,
  longText,
  richText,
  timestamp,
  period,
  yesNo,
  whole,
  decimal,
  choice,
  reference,
  termsOf,
  geometry,
  attachments,
  part,
  standardLogFields,
  standardAssetFields,
  withLogType: (farm: Farm, name: string, bundle: Bundle): Farm =>
    withBundle(farm, farm.records.log, { [name]: bundle }),
  withAssetType: (farm: Farm, name: string, bundle: Bundle): Farm =>
    withBundle(farm, farm.records.farm_asset, { [name]: bundle }),
  withVocabulary: (farm: Farm, name: string, vocabulary: Vocabulary): Farm =>
    withBundle(farm, farm.records.taxonomy_term, { [name]: vocabulary }),
  withLogField: (farm: Farm, name: string, field: Bundle['fields'][string]): Farm =>
    Object.entries(farm.records.log.bundles).reduce(
      (grown, [type, bundle]) =>
        withBundle(grown, grown.records.log, { [type]: { ...bundle, fields: { ...bundle.fields, [name]: field } } }),
      farm,
    ),
  withChoice: (farm: Farm, list: string, choice: Choice): Farm => ({
    ...farm,
    lists: { ...farm.lists, [list]: [...(farm.lists[list] ?? []), choice] },
  }),
  withScope: (farm: Farm, scope: Scope): Farm => ({ ...farm, scopes: [...farm.scopes, scope] }),
  withClient: (farm: Farm, client: ClientDeclaration): Farm => ({ ...farm, clients: [...farm.clients, client] }),
  withInfo: (farm: Farm, name: string, value: unknown): Farm => ({ ...farm, info: { ...farm.info, [name]: value } }),
}

export type ModuleKit = typeof kit

/** The default export of a module file: takes the farm as it is and gives back a larger one. */
export type FarmModule = (farm: Farm, kit: ModuleKit) => Farm

const withBundle = <B extends Bundle>(farm: Farm, type: RecordType<B>, added: Record<string, B>): Farm => ({
  ...farm,
  records: { ...farm.records, [type.name]: { ...type, bundles: { ...type.bundles, ...added } } },
})
