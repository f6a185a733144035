import type { FastifyInstance } from 'fastify'
import { accountsByIds } from '../../access/accounts.ts'
import { type Caller, requireRight } from '../../access/caller.ts'
import type { Farm } from '../../farm/farm.ts'
import { olderFarm } from '../../farm/older-farm.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import type { Records } from '../../records/records.ts'
import { readEdition, requireEdition } from '../../storage/edition.ts'
import { countRecords, type RecordCounts } from '../../storage/records/counting.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import { interfaceVersion } from '../../version.ts'
import { tagged } from '../http/answers/ready-answer.ts'
import type { ResponseCache } from '../http/answers/response-cache.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import { formatOfRead } from '../http/negotiation.ts'
import { answerWith } from './wire/answer.ts'
import type { Document } from './wire/document.ts'
import { resourcesOf } from './wire/resources.ts'

/** What the farm is and what can be recorded on it (spec 2.6). */
export function farmInfoRoutes(app: FastifyInstance, installation: Records, responses: ResponseCache): void {
  let known = { edition: '', farm: installation.farm, text: '' }
  const standing = (farm: Farm) => {
    const { edition, vocabularies } = installation
    if (known.edition !== edition || known.farm !== farm)
      known = { edition, farm, text: standingOf(farm, vocabularies) }
    return known.text
  }
  for (const path of ['/farm.json', '/farm.xml', '/farm']) {
    app.get(path, (request, reply) =>
      responses.answer(request, reply, async () => {
        const caller = await callerOf(request, installation)
        const json = await infoFor(caller, baseAddressOf(request, installation), { installation, standing })
        const answer = answerWith(formatOfRead(request), { root: 'farm', json })
        return { ...tagged(request, answer), until: caller.expires ?? 0 }
      }),
    )
  }
}

/** What stays the same as long as the farm is the same, and its types are: most of the record, so it is written once. */
function standingOf(farm: Farm, vocabularies: Records['vocabularies']): string {
  const languages = Object.fromEntries(farm.languages.map((language) => [language.language, language]))
  return JSON.stringify({ ...farm.info, languages, resources: resourcesOf(farm, vocabularies) }).slice(1)
}

interface Known {
  readonly installation: Records
  readonly standing: (farm: Farm) => string
}

async function infoFor(caller: Caller, url: string, { installation, standing }: Known): Promise<string> {
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
    return `${JSON.stringify({ ...introduction, metrics, system_of_measurement }).slice(0, -1)},${standing(older)}`
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
