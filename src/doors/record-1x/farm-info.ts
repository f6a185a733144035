import type { FastifyInstance } from 'fastify'
import { accountsByIds } from '../../access/accounts.ts'
import { type Caller, requireRight } from '../../access/caller.ts'
import { listedLanguages } from '../../access/locales.ts'
import { areaBundle } from '../../farm/bundle-names.ts'
import type { Bundle, Farm, Language, RecordType } from '../../farm/farm.ts'
import { asOlderFields, olderFarm, olderWords, recordTypeNames } from '../../farm/fields-of.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { type Field, type FieldKind, type FieldOf, type Fields, isMany } from '../../fields/field.ts'
import { plainRules } from '../../fields/kinds.ts'
import type { Records } from '../../records/records.ts'
import { atPresent, farmMoment, requireEdition } from '../../storage/farm-state.ts'
import { countRecords, type RecordCounts } from '../../storage/records/record-lookup.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import { interfaceVersion } from '../../version.ts'
import { typesIn } from '../../words/labelled.ts'
import { labelsOf } from '../../words/words-of.ts'
import { callerOf } from '../http/caller.ts'
import { languageOfQuery } from '../http/language.ts'
import { formatOfRead } from '../http/negotiation.ts'
import {
  answer,
  arrayOf,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  idRef,
  ifNoneMatch,
  languageOfLabels,
  objectOf,
  operation,
  type Paths,
  pathVariants,
  refusedOften,
  type Schema,
  schemaRef,
  text,
  unchanged,
  webAddress,
} from '../http/openapi.ts'
import { baseAddressOf } from '../http/origin.ts'
import { answerWith, withEtag } from '../http/record-answers.ts'
import type { ResponseCache } from '../http/response-cache.ts'

/** The farm and its catalogue (spec 2.6). */
export function farmInfoRoutes(app: FastifyInstance, installation: Records, responses: ResponseCache): void {
  let known = { edition: '', farm: installation.farm, texts: new Map<string, string>() }
  const standing = async (farm: Farm, asked: FarmInfoLanguage) => {
    const { edition, vocabularies } = installation
    if (known.edition !== edition || known.farm !== farm) known = { edition, farm, texts: new Map() }
    const { texts } = known
    const key = [asked.language, ...asked.listed.map(({ language }) => language)].join()
    const text = texts.get(key) ?? (await unchangingPart(farm, vocabularies, asked))
    texts.set(key, text)
    return text
  }
  for (const path of ['/farm.json', '/farm.xml', '/farm']) {
    app.get(path, (request, reply) =>
      responses.answer(request, reply, async () => {
        const caller = await callerOf(request, installation)
        const asked = { url: baseAddressOf(request, installation), language: languageOfQuery(request, installation) }
        const { json, version } = await infoFor(caller, asked, { installation, standing })
        const answer = answerWith(formatOfRead(request), { root: 'farm', json })
        return { ...withEtag(request, answer), until: caller.expires ?? 0, version }
      }),
    )
  }
}

/** The constant part, written once: most of the document. */
async function unchangingPart(
  farm: Farm,
  vocabularies: Records['vocabularies'],
  asked: FarmInfoLanguage,
): Promise<string> {
  const languages = Object.fromEntries(asked.listed.map((language) => [language.language, language]))
  const labels = await labelsOf(asked.language)
  const own = resourcesOf(farm, vocabularies)
  // The type of InfoField leaves the fields of a part open.
  const resources = labels === undefined ? own : typesIn(labels, own as typeof own & Parameters<typeof typesIn>[1])
  const standing: Pick<InfoDocument, 'languages' | 'resources'> = { ...farm.info, languages, resources }
  return JSON.stringify(standing).slice(1)
}

interface FarmInfoLanguage {
  readonly language: string
  /** The languages of the farm. */
  readonly listed: readonly Language[]
}

interface FarmInfoSource {
  readonly installation: Records
  readonly standing: (farm: Farm, asked: FarmInfoLanguage) => Promise<string>
}

interface FarmInfoRequest {
  readonly url: string
  readonly language: string
}

async function infoFor(caller: Caller, { url, language }: FarmInfoRequest, known: FarmInfoSource) {
  const { installation, standing } = known
  if (!caller.rights.has('enter')) requireRight(caller, 'read-info')
  return installation.database.read(async (snapshot) => {
    const [{ state, version }, settings, accounts, counts] = await Promise.all([
      farmMoment(snapshot, 'log', atPresent(installation.clock())),
      readFarmSettings(snapshot),
      accountsByIds(snapshot, [caller.uid]),
      caller.rights.has('read-info') ? countRecords(snapshot) : undefined,
    ])
    requireEdition(installation, state.edition)
    const { name, system_of_measurement } = settings
    const user = userOf(caller, accounts.get(caller.uid))
    const introduction: InfoDocument = { name, url, api_version: interfaceVersion, user }
    if (counts === undefined) return { json: JSON.stringify(introduction), version }
    const metrics = metricsOf(installation, counts)
    const older = olderFarm(installation.farm, counts.present)
    const standingPart = await standing(older, { language, listed: listedLanguages(installation.farm, settings) })
    const varying: InfoDocument = { ...introduction, metrics, system_of_measurement }
    return { json: `${JSON.stringify(varying).slice(0, -1)},${standingPart}`, version }
  })
}

const userOf = ({ uid, name }: Caller, account: { readonly mail: string; readonly language: string } | undefined) => ({
  uid: String(uid),
  name,
  mail: account?.mail ?? '',
  language: account?.language ?? '',
})

/** How much there is of what: the assets of each type that are not archived, and the areas. */
function metricsOf({ farm }: Records, counts: RecordCounts): NonNullable<InfoDocument['metrics']> {
  const metric = (label: string, value: number, link: string) => ({ label, value: String(value), link, weight: 0 })
  const assets = Object.entries(farm.records.asset.bundles).flatMap(([type, { plural }]) => {
    const count = counts.assets.get(type) ?? 0
    return count === 0
      ? []
      : [[type, metric(plural, count, `${resourceNames.asset}.json?type=${type}&archived=0`)] as const]
  })
  const areas = metric('Areas', counts.areas, `${resourceNames.term}.json?bundle=${areaBundle}`)
  return { ...Object.fromEntries(assets), ...(counts.areas === 0 ? {} : { areas: { ...areas, weight: 100 } }) }
}

/** The catalogue as the info record describes it to clients that build their forms from it. */
function resourcesOf(farm: Farm, vocabularies: ReadonlyMap<string, number>): NonNullable<InfoDocument['resources']> {
  return Object.fromEntries(
    recordTypeNames.map((name) => [
      resourceNames[name],
      Object.fromEntries(
        Object.entries(farm.records[name].bundles).map(([bundleName, bundle]) => {
          const vid = name === 'term' ? { vid: String(vocabularies.get(bundleName)) } : {}
          return [bundleName, { ...bundleOf(farm, farm.records[name], bundle), ...vid }]
        }),
      ),
    ]),
  )
}

function bundleOf(farm: Farm, type: RecordType, { label, plural, fields }: Bundle): InfoBundle {
  const own = shownIn(fields)
  const written = own.filter(([, field]) => field.computed === undefined)
  const computed = own.filter(([, field]) => field.computed !== undefined)
  const standing = shownIn(type.properties)
  return {
    label,
    label_plural: plural,
    fields: described(farm, Object.fromEntries(written)),
    properties: described(farm, Object.fromEntries([...standing, ...computed])),
  }
}

/** Without what is shown only on request. */
const shownIn = (fields: Fields) => Object.entries(asOlderFields(fields)).filter(([, field]) => !field.onRequest)

const described = (farm: Farm, fields: Fields): InfoBundle['fields'] =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, describe(farm, field)]))

function describe(farm: Farm, field: Field): InfoField {
  const template = templateOf(field)
  return {
    label: field.label,
    type: typeOf(field),
    required: field.required ? 1 : 0,
    default_value: isMany(field) && (field.kind === 'reference' || field.kind === 'attachment') ? [] : null,
    data_schema: isMany(field) ? [template] : template,
    ...(field.kind === 'choice' ? { allowed_values: olderWords(farm, field.list) } : {}),
    ...(field.kind === 'part' ? { fields: described(farm, field.fields) } : {}),
    ...(field.computed || field.readOnly ? { read_only: 1 } : {}),
  }
}

interface WireKind<K extends FieldKind> {
  readonly type: (field: FieldOf<K>) => string
  /** One empty value, as clients send it. */
  readonly template: (field: FieldOf<K>) => unknown
}

const wireKinds: { readonly [K in FieldKind]: WireKind<K> } = {
  ...plainRules('older'),
  choice: { type: () => 'list_text', template: () => '' },
  reference: {
    type: ({ to }) => (to === 'term' ? 'taxonomy_term_reference' : 'entityreference'),
    template: () => ({ id: null }),
  },
  attachment: { type: ({ accepts }) => (accepts === 'image' ? 'image' : 'file'), template: () => ({ id: null }) },
  part: { type: () => 'field_collection', template: templateOfPart },
}

const typeOf = <K extends FieldKind>(field: FieldOf<K>): string => wireKinds[field.kind as K].type(field)

const templateOf = <K extends FieldKind>(field: FieldOf<K>): unknown => wireKinds[field.kind as K].template(field)

function templateOfPart({ fields }: FieldOf<'part'>): unknown {
  const templates = Object.entries(fields).map(([name, own]) => [
    name,
    isMany(own) ? [templateOf(own)] : templateOf(own),
  ])
  return Object.fromEntries(templates)
}

const mapOf = <const S extends Schema>(values: S) => ({ type: 'object', additionalProperties: values }) as const
const zeroOrOne = { type: 'integer', enum: [0, 1] } as const

/** Fields of a part are fields again; their type stays open. */
const fieldSchema = objectOf({
  properties: {
    label: text,
    type: text,
    required: zeroOrOne,
    default_value: {},
    data_schema: {},
    allowed_values: arrayOf(text),
    fields: mapOf(schemaRef('InfoField')),
    read_only: { type: 'integer', const: 1 },
  },
  required: ['label', 'type', 'required', 'default_value', 'data_schema'],
})

type InfoField = DocumentOf<typeof fieldSchema>

const bundleSchema = objectOf({
  properties: {
    label: text,
    label_plural: text,
    fields: mapOf(schemaRef<InfoField>('InfoField')),
    properties: mapOf(schemaRef<InfoField>('InfoField')),
    vid: idRef,
  },
  required: ['label', 'label_plural', 'fields', 'properties'],
})

type InfoBundle = DocumentOf<typeof bundleSchema>

const metricSchema = completeObject({ label: text, value: text, link: text, weight: { type: 'integer' } })

const infoSchema = {
  type: 'object',
  properties: {
    name: text,
    url: webAddress,
    api_version: { type: 'string', examples: [interfaceVersion] },
    system_of_measurement: { type: 'string', enum: ['metric', 'us'] },
    user: completeObject({ uid: idRef, name: text, mail: text, language: text }),
    languages: mapOf(completeObject({ language: text, name: text, native: text, direction: zeroOrOne })),
    metrics: mapOf(metricSchema),
    resources: mapOf(mapOf(schemaRef<InfoBundle>('InfoBundle'))),
  },
  required: ['name', 'url', 'api_version', 'user'],
  description: 'Modules may add to it. A caller without a role sees the required members only',
} as const

type InfoDocument = DocumentOf<typeof infoSchema>

export const farmInfoDescription: DoorDescription = {
  paths: infoPaths(),
  schemas: { Info: infoSchema, InfoBundle: bundleSchema, InfoField: fieldSchema },
}

function infoPaths(): Paths {
  return Object.fromEntries(
    pathVariants.map(({ extension, formats, word }) => [
      `/farm${extension}`,
      {
        get: operation({
          id: `readFarm${word}`,
          summary: 'What the farm is and what can be recorded on it',
          tag: 'farm',
          parameters: [ifNoneMatch, languageOfLabels],
          responses: {
            '200': answer('The info record', formats, schemaRef('Info')),
            '304': unchanged,
            ...refusedOften,
          },
        }),
      },
    ]),
  )
}
