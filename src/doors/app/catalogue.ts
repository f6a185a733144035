import type { FastifyInstance } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { Bundle, Farm, RecordType } from '../../farm/farm.ts'
import { asOlderFields, fieldsOf, firstByBatch, isOnlyNewer, olderFarm, recordTypeNames } from '../../farm/fields-of.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { type Field, type FieldKind, type FieldOf, type Fields, isMany } from '../../fields/field.ts'
import { plainRules } from '../../fields/kinds.ts'
import type { Records } from '../../records/records.ts'
import { readEdition, requireEdition } from '../../storage/farm-state.ts'
import { presentBundles } from '../../storage/records/record-lookup.ts'
import { listsIn, typesIn } from '../../words/labelled.ts'
import { labelsOf } from '../../words/words-of.ts'
import { callerOf } from '../http/caller.ts'
import { languageOfQuery } from '../http/language.ts'
import {
  answer,
  type DoorDescription,
  ifNoneMatch,
  languageOfLabels,
  operation,
  refusedOften,
  schemaRef,
  unchanged,
} from '../http/openapi.ts'
import { deliver, withEtag } from '../http/record-answers.ts'
import type { CatalogueBundle, CatalogueDocument, CatalogueField, CatalogueFields, ResourceName } from './documents.ts'

/** The catalogue of this farm, for generating forms and lists. */
export function addCatalogue(app: FastifyInstance, installation: Records): void {
  let known = { edition: '', farm: installation.farm, texts: new Map<string, string>() }
  const textFor = async (farm: Farm, language: string): Promise<string> => {
    const { edition } = installation
    if (known.edition !== edition || known.farm !== farm) known = { edition, farm, texts: new Map() }
    const { texts } = known
    const text = texts.get(language) ?? JSON.stringify(await inLanguage(spelled(farm, installation), language))
    texts.set(language, text)
    return text
  }
  app.get('/catalogue.json', async (request, reply) => {
    requireRight(await callerOf(request, installation), 'read-records')
    const language = languageOfQuery(request, installation)
    const present = await installation.database.read(async (snapshot) => {
      requireEdition(installation, await readEdition(snapshot))
      return presentBundles(snapshot)
    })
    const body = await textFor(
      olderFarm(installation.farm, new Set([...present, ...firstByBatch(installation.farm)])),
      language,
    )
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    return deliver(reply, withEtag(request, { status: 200, headers, body }))
  })
}

export const catalogueDescription: DoorDescription = {
  paths: {
    '/catalogue.json': {
      get: operation({
        id: 'readCatalogue',
        summary: 'What can be recorded here: types, fields and words, with their labels',
        tag: 'farm',
        parameters: [ifNoneMatch, languageOfLabels],
        responses: {
          '200': answer('The catalogue', 'json', schemaRef('Catalogue')),
          '304': unchanged,
          ...refusedOften,
        },
      }),
    },
  },
}

async function inLanguage(catalogue: CatalogueDocument, language: string): Promise<CatalogueDocument> {
  const labels = await labelsOf(language)
  if (labels === undefined) return catalogue
  return { ...catalogue, types: typesIn(labels, catalogue.types), lists: listsIn(labels, catalogue.lists) }
}

function spelled(farm: Farm, { catalogue, vocabularies }: Records): CatalogueDocument {
  const types = recordTypeNames.map((name) => {
    const type: RecordType = farm.records[name]
    const bundles = Object.entries(type.bundles).map(([bundleName, bundle]) => {
      const id = name === 'term' ? { id: String(vocabularies.get(bundleName)) } : {}
      return [bundleName, { ...bundleOf(type, bundle), ...id }] as const
    })
    return [resourceNames[name], Object.fromEntries(bundles)] as const
  })
  const lists = Object.entries(farm.lists).map(([name, choices]) => {
    const words = choices.filter((choice) => !isOnlyNewer(choice)).map(({ value, label }) => ({ value, label }))
    return [name, words] as const
  })
  const nonEmptyLists = lists.filter(([, words]) => words.length > 0)
  return {
    catalogue,
    types: Object.fromEntries(types) as CatalogueDocument['types'],
    lists: Object.fromEntries(nonEmptyLists),
  }
}

const bundleOf = (type: RecordType, bundle: Bundle): CatalogueBundle => ({
  label: bundle.label,
  plural: bundle.plural,
  fields: fieldsFrom(asOlderFields(fieldsOf(type, bundle))),
})

const fieldsFrom = (fields: Fields): CatalogueFields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldFrom(field)]))

const fieldFrom = (field: Field): CatalogueField => ({
  label: field.label,
  kind: field.kind,
  ...(field.required ? { required: true } : {}),
  ...(isMany(field) ? { many: true } : {}),
  ...(field.readOnly ? { read_only: true } : {}),
  ...(field.computed === undefined ? {} : { computed: field.computed }),
  ...(field.onRequest ? { on_request: true } : {}),
  ...moreOf(field),
})

type KindMembers = Partial<CatalogueField>

/** Members that only certain kinds have. */
const more: { readonly [K in FieldKind]: (field: FieldOf<K>) => KindMembers } = {
  ...plainRules('bounds'),
  choice: ({ list, open }) => ({ list, ...(open ? { open } : {}) }),
  reference: ({ to, within }) => ({
    to: resourceNames[to] as ResourceName,
    ...(within === undefined ? {} : { within }),
  }),
  attachment: ({ accepts }) => ({ accepts }),
  part: ({ fields }) => ({ fields: fieldsFrom(fields) }),
}

const moreOf = <K extends FieldKind>(field: FieldOf<K>): KindMembers => more[field.kind as K](field)
