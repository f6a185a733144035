import type { Settings } from '../../config.ts'
import { version } from '../../version.ts'
import { accessPaths } from './access-paths.ts'
import { accessSchemas } from './access-schemas.ts'
import { batchPaths, batchSchemas } from './batch-paths.ts'
import { healthPaths } from './health-paths.ts'
import { listParameters } from './list-parameters.ts'
import { responses } from './operations.ts'
import { otherPaths } from './other-paths.ts'
import { otherSchemas } from './other-schemas.ts'
import { recordPaths } from './record-paths.ts'
import { type Catalogue, recordSchemas } from './record-schemas.ts'
import type { Schema } from './schema.ts'
import { securityOf, securitySchemes } from './security-schemes.ts'
import { valueSchemas } from './value-schemas.ts'

export interface Installation extends Catalogue {
  readonly settings: Settings
}

const about = `Records of a farm: logs, assets, terms (areas are terms) and what belongs to them.
Every read that ends in .json has a twin in .xml; without an ending the Accept header decides. Bodies are JSON or XML by their Content-Type.
XML is the same tree: docs/xml.md says how each piece is written. Input is forgiven more than is described here.`

/** The whole interface of this installation as OpenAPI 3.1, from the catalogue as the modules have left it. */
export function describeInterface({ farm, vocabularies, settings }: Installation, base: string): Schema {
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
    tags: [
      { name: 'log', description: 'What happened, or is to happen' },
      { name: 'farm_asset', description: 'What the farm has' },
      { name: 'taxonomy_term', description: 'Areas, crops and the other vocabularies' },
      { name: 'farm', description: 'The farm itself' },
      { name: 'files', description: 'Photos and other files' },
      { name: 'access', description: 'Logging in, and the OAuth 2.0 authorization server' },
      { name: 'health', description: 'For whoever watches over the server' },
    ],
    paths: { ...recordPaths(farm), ...batchPaths, ...otherPaths(), ...accessPaths(settings), ...healthPaths },
    components: {
      schemas: {
        ...valueSchemas,
        ...batchSchemas,
        ...otherSchemas(farm),
        ...accessSchemas,
        ...recordSchemas({ farm, vocabularies }),
      },
      parameters: listParameters(farm),
      responses,
      securitySchemes: securitySchemes(farm, settings, base),
    },
  }
}
