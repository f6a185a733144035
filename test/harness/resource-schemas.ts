import type { ValidateFunction } from 'ajv'
import { describedType } from '../../src/doors/api/schemas/described-type.ts'
import { resourceSchema } from '../../src/doors/api/schemas/resource-schema.ts'
import type { Farm } from '../../src/farm/farm.ts'
import type { Json } from './client.ts'
import type { Exchange } from './contract.ts'
import { schemaValidator } from './schema-validator.ts'

/** Holds every resource that is answered to the schema of its type. */
class ResourceSchemas {
  readonly #farm: Farm
  readonly #ajv = schemaValidator()
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(farm: Farm) {
    this.#farm = farm
  }

  check({ method, path, body }: Exchange): void {
    for (const resource of resourcesIn(body)) {
      const validate = this.#validatorOf(resource.type)
      if (validate(resource)) continue
      const faults = validate.errors?.map(({ instancePath, message, params }) => {
        return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`
      })
      const told = [...new Set(faults)].slice(0, 12).join('\n  ')
      throw new Error(`${method} ${path}: ${resource.type} is not as its schema says:\n  ${told}`)
    }
  }

  #validatorOf(name: string): ValidateFunction {
    const known = this.#validators.get(name)
    if (known) return known
    const type = describedType(this.#farm, name)
    if (type === undefined) throw new Error(`There is no schema of ${name}.`)
    const validator = this.#ajv.compile(resourceSchema(this.#farm, type, 'http://farm.example'))
    this.#validators.set(name, validator)
    return validator
  }
}

/** Of identifiers there is nothing to check: they have no links. */
const resourcesIn = ({ data, included = [] }: Json): Json[] =>
  [data, included].flat().filter((one) => one?.links !== undefined)

const schemas = new Map<string, ResourceSchemas>()
const ofFarm = new WeakMap<Farm, ResourceSchemas>()

/** From here on every resource that the server at this address answers with is checked. */
export function bindToResourceSchemas(base: string, farm: Farm): void {
  const shared = ofFarm.get(farm) ?? new ResourceSchemas(farm)
  ofFarm.set(farm, shared)
  schemas.set(base, shared)
}

export const releaseFromResourceSchemas = (base: string): boolean => schemas.delete(base)

export function checkResources(base: string, exchange: Exchange): void {
  const { status, mediaType, body } = exchange
  if (status < 400 && mediaType === 'application/vnd.api+json' && body !== null) schemas.get(base)?.check(exchange)
}
