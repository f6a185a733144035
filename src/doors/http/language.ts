import type { FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { knownLanguage } from '../../access/languages.ts'
import { valueInQuery } from './query.ts'

/** The language of labels: as the catalogue has them, unless `?language=` asks for another. What a browser prefers is not asked. */
export function languageAsked(request: FastifyRequest, { farm }: Installation): string {
  const asked = valueInQuery(request.url, 'language')
  return asked === undefined ? 'en' : knownLanguage(farm, asked, 'bad-query')
}
