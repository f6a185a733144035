import type { FastifyInstance } from 'fastify'
import { accountsByIds } from '../../access/accounts.ts'
import { type Caller, requireRight } from '../../access/caller.ts'
import { listedLanguages } from '../../access/locales.ts'
import type { Farm, Language } from '../../farm/farm.ts'
import { olderFarm } from '../../farm/older-farm.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import type { Records } from '../../records/records.ts'
import { readEdition, requireEdition } from '../../storage/edition.ts'
import { countRecords, type RecordCounts } from '../../storage/records/all-records.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import { interfaceVersion } from '../../version.ts'
import { typesIn } from '../../words/labelled.ts'
import { labelsOf } from '../../words/words-of.ts'
import { tagged } from '../http/answers/ready-answer.ts'
import type { ResponseCache } from '../http/answers/response-cache.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import { languageAsked } from '../http/language.ts'
import { formatOfRead } from '../http/negotiation.ts'
import { answerWith } from './wire/answer.ts'
import type { Document } from './wire/document.ts'
import { resourcesOf } from './wire/resources.ts'

/** What the farm is and what can be recorded on it (spec 2.6). */
export function farmInfoRoutes(app: FastifyInstance, installation: Records, responses: ResponseCache): void {
  let known = { edition: '', farm: installation.farm, texts: new Map<string, string>() }
  const standing = async (farm: Farm, asked: Asked) => {
    const { edition, vocabularies } = installation
    if (known.edition !== edition || known.farm !== farm) known = { edition, farm, texts: new Map() }
    const { texts } = known
    const key = [asked.language, ...asked.listed.map(({ language }) => language)].join()
    const text = texts.get(key) ?? (await standingOf(farm, vocabularies, asked))
    texts.set(key, text)
    return text
  }
  for (const path of ['/farm.json', '/farm.xml', '/farm']) {
    app.get(path, (request, reply) =>
      responses.answer(request, reply, async () => {
        const caller = await callerOf(request, installation)
        const asked = { url: baseAddressOf(request, installation), language: languageAsked(request, installation) }
        const json = await infoFor(caller, asked, { installation, standing })
        const answer = answerWith(formatOfRead(request), { root: 'farm', json })
        return { ...tagged(request, answer), until: caller.expires ?? 0 }
      }),
    )
  }
}

/** What stays the same as long as the farm is the same, and its types are: most of the record, so it is written once. */
async function standingOf(farm: Farm, vocabularies: Records['vocabularies'], asked: Asked): Promise<string> {
  const languages = Object.fromEntries(asked.listed.map((language) => [language.language, language]))
  const labels = await labelsOf(asked.language)
  const own = resourcesOf(farm, vocabularies)
  const resources = labels === undefined ? own : typesIn(labels, own as Parameters<typeof typesIn>[1])
  return JSON.stringify({ ...farm.info, languages, resources }).slice(1)
}

interface Asked {
  readonly language: string
  /** The languages of the farm. */
  readonly listed: readonly Language[]
}

interface Known {
  readonly installation: Records
  readonly standing: (farm: Farm, asked: Asked) => Promise<string>
}

interface Question {
  readonly url: string
  readonly language: string
}

async function infoFor(caller: Caller, { url, language }: Question, known: Known): Promise<string> {
  const { installation, standing } = known
  if (!caller.rights.has('enter')) requireRight(caller, 'read-info')
  return installation.database.read(async (snapshot) => {
    const [edition, settings] = await Promise.all([readEdition(snapshot), readFarmSettings(snapshot)])
    requireEdition(installation, edition)
    const { name, system_of_measurement } = settings
    const account = (await accountsByIds(snapshot, [caller.uid])).get(caller.uid)
    const introduction = { name, url, api_version: interfaceVersion, user: userOf(caller, account) }
    if (!caller.rights.has('read-info')) return JSON.stringify(introduction)
    const counts = await countRecords(snapshot)
    const metrics = metricsOf(installation, counts)
    const older = olderFarm(installation.farm, counts.present)
    const standingPart = await standing(older, { language, listed: listedLanguages(installation.farm, settings) })
    return `${JSON.stringify({ ...introduction, metrics, system_of_measurement }).slice(0, -1)},${standingPart}`
  })
}

const userOf = ({ uid, name }: Caller, account: { readonly mail: string; readonly language: string } | undefined) => ({
  uid: String(uid),
  name,
  mail: account?.mail ?? '',
  language: account?.language ?? '',
})

/** How much there is of what: the assets of each type that are not archived, and the areas. */
function metricsOf({ farm }: Records, counts: RecordCounts): Document {
  const metric = (label: string, value: number, link: string) => ({ label, value: String(value), link, weight: 0 })
  const assets = Object.entries(farm.records.asset.bundles).flatMap(([type, { plural }]) => {
    const count = counts.assets.get(type) ?? 0
    return count === 0
      ? []
      : [[type, metric(plural, count, `${resourceNames.asset}.json?type=${type}&archived=0`)] as const]
  })
  const areas = metric('Areas', counts.areas, `${resourceNames.term}.json?bundle=farm_areas`)
  return { ...Object.fromEntries(assets), ...(counts.areas === 0 ? {} : { areas: { ...areas, weight: 100 } }) }
}
