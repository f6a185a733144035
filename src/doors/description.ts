import type { ServerSettings } from '../config.ts'
import type { Farm } from '../farm/farm.ts'
import { olderFarm, type PresentBundles } from '../farm/fields-of.ts'
import { stockFarm } from '../farm/stock-farm.ts'
import { version } from '../version.ts'
import { apiDescription } from './api/description/api-description.ts'
import { appDescriptions } from './app/app-door.ts'
import { openapiDescription, securityOf, securitySchemes } from './docs/openapi-door.ts'
import { administerDescriptions } from './furrow/administer/administer-door.ts'
import { furrowDescriptions } from './furrow/furrow-door.ts'
import { reportLinksDescription } from './furrow/reports/report-links.ts'
import { importBodies, importParameters } from './furrow/sheet-import.ts'
import { healthDescription } from './health/health-door.ts'
import { type DoorDescription, responses, type Schema } from './http/openapi.ts'
import { oauthDescription } from './oauth/oauth-door.ts'
import { farmDescriptions, recordDescription } from './record-1x/record-door.ts'
import { sessionDescriptions } from './session/session-door.ts'

export interface InterfaceContext {
  readonly farm: Farm
  readonly vocabularies: ReadonlyMap<string, number>
  readonly settings: ServerSettings
  readonly present?: PresentBundles
}

function doorsOf(described: InterfaceContext): readonly DoorDescription[] {
  const farm = olderFarm(described.farm, described.present)
  return [
    recordDescription({ ...described, farm }, { importParameters, importBodies }),
    ...furrowDescriptions(farm),
    ...farmDescriptions(farm),
    apiDescription(described.farm),
    ...sessionDescriptions(described.settings),
    oauthDescription(),
    healthDescription,
    openapiDescription,
    ...appDescriptions,
    ...administerDescriptions,
    reportLinksDescription,
  ]
}

/** The interface of a farm without modules and records, as anybody may read it. */
export function describeStockInterface(settings: ServerSettings, base: string): Schema {
  const vocabularies = new Map(Object.keys(stockFarm.records.term.bundles).map((name, place) => [name, place + 1]))
  return describeInterface({ farm: stockFarm, vocabularies, settings }, base)
}

const about = `Records of a farm: logs, assets, terms (areas are terms) and what belongs to them.
Every read that ends in .json has a twin in .xml; without an ending the Accept header decides. Bodies are JSON or XML by their Content-Type.
XML is the same tree: docs/xml.md says how each piece is written. Input is forgiven more than is described here.`

/** The whole interface as OpenAPI 3.1, merged from the descriptions of all doors. */
export function describeInterface(described: InterfaceContext, base: string): Schema {
  const { farm, settings } = described
  const doors = doorsOf(described)
  const together = (member: 'paths' | 'schemas' | 'parameters' | 'responses'): Schema =>
    Object.assign({}, ...doors.map((door) => door[member]))
  return {
    openapi: '3.1.1',
    info: {
      title: 'Furrow',
      version,
      summary: 'The record interface of a farm',
      description: about,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: base }],
    security: securityOf(settings),
    tags: doors.flatMap(({ tags = [] }) => tags),
    paths: together('paths'),
    components: {
      schemas: together('schemas'),
      parameters: together('parameters'),
      responses: { ...responses, ...together('responses') },
      securitySchemes: securitySchemes(farm, settings, base),
    },
  }
}
