import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import { jsonApiSchema } from './json-api-schema.ts'

const draft = 'https://json-schema.org/draft/2019-09'

/** Knows JSON Schema 2019-09 and what JSON:API asks for. Links of hyper-schema say nothing of what is valid. */
export function schemaValidator(): Ajv2019 {
  const ajv = new Ajv2019({ strictTypes: false, allErrors: true, inlineRefs: false, code: { optimize: false } })
  addFormats.default(ajv)
  ajv.addMetaSchema({ $id: `${draft}/hyper-schema`, $schema: `${draft}/schema`, $ref: `${draft}/schema` })
  ajv.addKeyword('links')
  ajv.addSchema(jsonApiSchema)
  return ajv
}
