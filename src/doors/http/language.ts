import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { knownLanguage } from '../../access/locales.ts'
import { accountOfSession } from '../../access/sessions.ts'
import { valueInQuery } from '../../formats/query-string.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import { type PageWords, pageWords } from '../../words/page-words.ts'
import { sessionCookieOf } from './caller.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The texts of a page in the caller's language. */
    wordsFor(request: FastifyRequest): Promise<PageWords>
  }
}

/** The language of labels: as the catalogue has them, unless `?language=` asks for another. What a browser prefers is not asked. */
export function languageOfQuery(request: FastifyRequest, { farm }: Installation): string {
  const asked = valueInQuery(request.url, 'language')
  return asked === undefined ? 'en' : knownLanguage(farm, asked, 'bad-query')
}

/** Error pages are also translated, in English if nothing else is known. */
export function addPageWords(app: FastifyInstance, installation: Installation): void {
  app.decorate('wordsFor', async (request: FastifyRequest) =>
    pageWords(await languageOfPage(request, installation).catch(() => 'en')),
  )
}

/** The account's, else that of the query, else the browser's, else the farm's. */
async function languageOfPage(request: FastifyRequest, installation: Installation): Promise<string> {
  const session = sessionCookieOf(request, installation)
  const account = session === undefined ? undefined : await accountOfSession(installation, session)
  if (account !== undefined) return account.language
  const asked = valueInQuery(request.url, 'language')
  const isKnown = installation.farm.languages.some(({ language }) => language === asked)
  if (asked !== undefined && isKnown) return asked
  return (
    preferredLanguage(request.headers['accept-language'], installation.farm) ??
    (await installation.database.read(readFarmSettings)).language
  )
}

/** Best language of `Accept-Language` that this farm knows (RFC 9110 section 12.5.4). */
function preferredLanguage(accepted: string | undefined, { languages }: Installation['farm']): string | undefined {
  const ranges = (accepted ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    return { code: tag.split('-')[0], weight: Number.isNaN(weight) ? 0 : weight }
  })
  const known = ranges.filter(({ code, weight }) => weight > 0 && languages.some(({ language }) => language === code))
  return known.sort((one, other) => other.weight - one.weight)[0]?.code
}
