import type { Schema } from './schema.ts'

/** A parameter of a query; a text, where nothing else is said. */
export const inQuery = (name: string, description: string, schema: Schema = { type: 'string' }): Schema => ({
  name,
  in: 'query',
  description,
  schema,
})

export const languageOfLabels = inQuery('language', 'The language of the labels, such as de; English without it')
