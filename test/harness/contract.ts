import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describeInterface, type InterfaceContext } from '../../src/doors/description.ts'
import type { Farm } from '../../src/farm/farm.ts'
import type { Json } from './client.ts'

/** What browsers fetch along with a page. */
const withPages = ['application/manifest+json', 'image/svg+xml']

export interface Exchange {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly mediaType: string
  readonly text: string
  readonly body: Json
}

const options = {
  strict: true,
  strictRequired: false,
  strictTypes: false,
  discriminator: true,
  // Quick to compile: every worker of a run does it anew.
  inlineRefs: false,
  validateSchema: false,
  code: { optimize: false },
} as const

/** What a sheet or a map is answered with is described beside it, and not beside the record that the same address answers with. */
function answerToImport({ method, status, body }: Exchange, { requestBody }: Json): Json | undefined {
  if (method !== 'POST' || status !== 200 || body?.counts === undefined) return undefined
  const mediaType = body.features === undefined ? 'text/csv' : 'application/geo+json'
  return requestBody?.content[mediaType]?.schema.$defs.answer
}

/** What the description of the interface says about each answer. */
export class Contract {
  readonly #paths: readonly { readonly pattern: RegExp; readonly operations: Json }[]
  readonly #responses: Json
  readonly #parameters: Json
  readonly #ajv: Ajv2020
  readonly #validators = new Map<string, ValidateFunction>()
  /** The text of a schema, which is the same object in every exchange. */
  readonly #texts = new WeakMap<object, string>()

  constructor(document: Json) {
    const { paths, components } = document
    this.#responses = components.responses
    this.#parameters = components.parameters
    this.#paths = Object.keys(paths)
      .toSorted((one, other) => literalLength(other) - literalLength(one))
      .map((template) => ({ pattern: patternOf(template), operations: paths[template] }))
    this.#ajv = new Ajv2020(options)
    addFormats.default(this.#ajv)
    this.#ajv.addVocabulary(['xml', 'components'])
    this.#ajv.addSchema({ $id: 'openapi', components: withoutMappings({ schemas: components.schemas }) })
  }

  /** Throws where an answer is not as described; what is not described at all may only be a page or a refusal. */
  check(exchange: Exchange): void {
    const { method, status } = exchange
    if (method === 'OPTIONS' || status >= 500 || status === 304) return
    const operation = this.#operationOf(exchange)
    if (operation === undefined) this.#checkUndescribed(exchange)
    else this.#checkDescribed(exchange, operation)
  }

  #checkDescribed(exchange: Exchange, operation: Json): void {
    const { method, status, text } = exchange
    const response = this.#resolved(operation.responses[status] ?? operation.responses[`${String(status)[0]}XX`])
    if (response === undefined) throw this.#fault(exchange, 'the description has no such status')
    if (method === 'HEAD' || text === '') return
    if (status < 400 && isDryRun(exchange)) {
      this.#checkDryRun(exchange, operation)
      return
    }
    const content = response.content?.[exchange.mediaType] ?? response.content?.['*/*']
    if (content === undefined) throw this.#fault(exchange, `the description has no ${exchange.mediaType} there`)
    if (/json$/.test(exchange.mediaType))
      this.#validate(exchange, answerToImport(exchange, operation) ?? content.schema)
  }

  /** Less than what is described: how much less is what test/spec/4-dry-run.test.ts says. */
  #checkDryRun(exchange: Exchange, operation: Json): void {
    const names = this.#parametersOf(operation)
    if (!names.includes('dry_run')) throw this.#fault(exchange, 'no dry run is described there')
  }

  validatorOf(schema: Json): ValidateFunction {
    const text = this.#texts.get(schema) ?? JSON.stringify(schema)
    this.#texts.set(schema, text)
    const known = this.#validators.get(text)
    if (known) return known
    const validator = this.#ajv.compile(JSON.parse(text.replaceAll('"#/components/', '"openapi#/components/')))
    this.#validators.set(text, validator)
    return validator
  }

  /** What is asked under an ending and described without it, as `full` is, is answered as described there; /api has no endings. */
  #operationOf({ method, path }: Exchange): Json {
    const [address = '', query = ''] = path.split('?')
    const plain = address.replace(/(?<=.)\/$/, '')
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
    const found = [plain, plain.replace(/^(?!\/api)(.*)\.(json|xml)$/, '$1')].flatMap((spelled) => {
      const one = this.#paths.find(({ pattern, operations }) => pattern.test(spelled) && operations[verb])
      return one === undefined ? [] : [one.operations[verb]]
    })
    const strange = (operation: Json) => this.#undescribedIn(query, operation).length
    return found.toSorted((one, other) => strange(one) - strange(other))[0]
  }

  #undescribedIn(query: string, operation: Json): readonly string[] {
    const described = this.#parametersOf(operation)
    return [...new URLSearchParams(query).keys()].filter((name) => !described.includes(name))
  }

  #parametersOf(operation: Json): readonly string[] {
    return (operation.parameters ?? []).map((one: Json) =>
      one.$ref === undefined ? one.name : this.#parameters[one.$ref.split('/').at(-1)].name,
    )
  }

  #checkUndescribed(exchange: Exchange): void {
    const { status, mediaType } = exchange
    if (mediaType === 'application/problem+json') this.#validate(exchange, { $ref: '#/components/schemas/Problem' })
    else if (status < 400 && /(json|xml)$/.test(mediaType) && !withPages.includes(mediaType))
      throw this.#fault(exchange, 'nothing is described there')
  }

  #validate(exchange: Exchange, schema: Json): void {
    const validator = this.validatorOf(schema)
    if (validator(exchange.body)) return
    const faults = validator.errors?.map(({ instancePath, message, params }) => {
      return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`
    })
    throw this.#fault(exchange, `${[...new Set(faults)].slice(0, 12).join('\n  ')}\n${exchange.text.slice(0, 2000)}`)
  }

  #resolved(response: Json): Json {
    return response?.$ref ? this.#responses[response.$ref.split('/').at(-1)] : response
  }

  #fault({ method, path, status }: Exchange, what: string): Error {
    return new Error(`${method} ${path} answered ${status}, and not as /openapi.json says:\n  ${what}`)
  }
}

const isDryRun = ({ path }: Exchange): boolean => new URLSearchParams(path.split('?')[1]).has('dry_run')

const literalLength = (template: string): number => template.replace(/\{\w+\}/g, '').length

/** An address of a type ends with a UUID: `/api/log/harvest/schema` has another path. */
const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .replace(/[.]/g, '\\.')
      .replace(/(?<=^\/api\/\w+\/\w+\/)\{uuid\}$/, '[0-9a-fA-F-]{36}')
      .replace(/\{\w+\}/g, '[^/]+')}$`,
  )

/** Ajv knows discriminators, but not that their values can have other names. */
function withoutMappings(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutMappings)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).map(([key, value]: [string, Json]) => [
    key,
    key === 'discriminator' ? { propertyName: value.propertyName } : withoutMappings(value),
  ])
  return Object.fromEntries(members)
}

const contracts = new Map<string, Contract>()
const known = new Map<string, Contract>()
const ofFarm = new WeakMap<Farm, Map<string, Contract>>()

/** From here on every answer of the server at this address is checked. Farms that are described alike share what is compiled. */
export function bindToContract(base: string, described: InterfaceContext): void {
  const { data: _, database: __, port: ___, ...settings } = described.settings
  const likeness = JSON.stringify([settings, [...described.vocabularies], [...(described.present ?? [])]])
  const shared = ofFarm.get(described.farm) ?? new Map<string, Contract>()
  const contract = shared.get(likeness) ?? contractOf(describeInterface(described, base))
  ofFarm.set(described.farm, shared.set(likeness, contract))
  contracts.set(base, contract)
}

function contractOf(document: Json): Contract {
  const key = JSON.stringify([document.paths, document.components.schemas])
  const contract = known.get(key) ?? new Contract(document)
  known.set(key, contract)
  return contract
}

/** The server is closed: whoever listens at its address next is somebody else. */
export const releaseFromContract = (base: string): boolean => contracts.delete(base)

export const contractAt = (base: string): Contract | undefined => contracts.get(base)
