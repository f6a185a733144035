import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accountsByIds } from '../../access/accounts.ts'
import { requireRight } from '../../access/caller.ts'
import type { IdentifiedCaller } from '../../access/credentials.ts'
import { listedLanguages } from '../../access/locales.ts'
import { csrfTokenFor } from '../../access/secrets.ts'
import type { Records } from '../../records/records.ts'
import { sharedReport } from '../../reports/report-links.ts'
import { readEdition, requireEdition } from '../../storage/farm-state.ts'
import { readFarmSettings, readFarmUuid, readMapLayers } from '../../storage/settings.ts'
import { version } from '../../version.ts'
import type { PageWords } from '../../words/page-words.ts'
import { reportTexts } from '../../words/words-of.ts'
import { readForm } from '../http/body.ts'
import { callerOf, visitorOf } from '../http/caller.ts'
import { answer, type DoorDescription, operation, refusedOften, schemaRef } from '../http/openapi.ts'
import { baseAddressOf, type ScriptAccess } from '../http/origin.ts'
import { answerWithPage } from '../http/page.ts'
import { deliver } from '../http/record-answers.ts'
import { addApp, answerWithFile, layersFor } from './app-files.ts'
import { addCatalogue, catalogueDescription } from './catalogue.ts'
import { appSchemas, type Me } from './documents.ts'

/** The app is for people; scripts can read the same data from the API. */
export const appScriptAccess: readonly ScriptAccess[] = [
  { paths: /^\/app(?:\/|$)/, openTo: 'nobody' },
  { paths: /^\/shared-report(?:\.|$)/, openTo: 'nobody' },
]

/** The app's files, and the documents it loads first. */
export function appDoor(app: FastifyInstance, installation: Records): void {
  addMe(app, installation)
  addCatalogue(app, installation)
  addSharedReport(app, installation)
  if (installation.settings.app) addApp(app, installation)
}

function addMe(app: FastifyInstance, installation: Records): void {
  app.get('/me.json', async (request, reply) => {
    const caller = await callerOf(request, installation)
    requireRight(caller, 'enter')
    const me = await tellMe(request, caller, installation)
    return reply
      .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
      .send(JSON.stringify(me))
  })
}

const meDescription: DoorDescription = {
  paths: {
    '/me.json': {
      get: operation({
        id: 'readMe',
        summary: 'Who is asking and what they may do, and the farm that is asked',
        tag: 'farm',
        responses: {
          '200': answer('The account, the farm, and the time there', 'json', schemaRef('Me')),
          ...refusedOften,
        },
      }),
    },
  },
}

export const appDescriptions: readonly DoorDescription[] = [
  meDescription,
  catalogueDescription,
  { schemas: appSchemas },
]

async function tellMe(request: FastifyRequest, caller: IdentifiedCaller, installation: Records): Promise<Me> {
  const { database, farm, clock, catalogue } = installation
  const csrfToken = caller.carrier === 'cookie' ? await csrfTokenFor(database, caller.bond) : null
  return database.read(async (snapshot) => {
    requireEdition(installation, await readEdition(snapshot))
    const account = (await accountsByIds(snapshot, [caller.uid])).get(caller.uid)
    const settings = await readFarmSettings(snapshot)
    const { name, system_of_measurement, timezone, language, withholding_factor, tag_days } = settings
    const layers = caller.rights.has('read-info') ? await readMapLayers(snapshot) : []
    return {
      account: {
        id: String(caller.uid),
        name: caller.name,
        role: caller.role,
        language: account?.language ?? language,
      },
      rights: [...caller.rights],
      csrf_token: csrfToken,
      farm: {
        uuid: await readFarmUuid(snapshot),
        name,
        system_of_measurement,
        timezone,
        withholding_factor,
        tag_days,
        language,
        languages: listedLanguages(farm, settings).map((one) => one.language),
      },
      map_layers: layersFor(baseAddressOf(request, installation), layers),
      trial: installation.trial?.() ?? null,
      time: String(clock()),
      edition: installation.edition,
      catalogue,
      version,
    }
  })
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // Photos of a link are in its document.
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const hidden = { 'x-robots-tag': 'noindex, nofollow' } as const

/**
 * A report for people without an account. The key is in the fragment of the address, which browsers do not send: the
 * page's script sends it.
 */
function addSharedReport(app: FastifyInstance, installation: Records): void {
  app.register(async (scope) => {
    scope.setErrorHandler(answerWithPage)
    scope.get('/shared-report', async (request, reply) => {
      reply.headers({ ...hidden, 'content-security-policy': policy })
      return deliver(reply, await answerWithFile(request, 'shared-report.html'))
    })
    for (const file of ['shared-report.js', 'shared-report.css'])
      scope.get(`/${file}`, async (request, reply) => deliver(reply, await answerWithFile(request, file)))
    scope.post('/shared-report.json', async (request, reply) => {
      const key = readForm(request).values.get('key') ?? ''
      const { document, expires, ...told } = await sharedReport(installation, {
        key,
        ...visitorOf(request, installation),
      })
      const words = await wordsOf(await request.server.wordsFor(request))
      const head = JSON.stringify({ ...told, ends: String(expires), ...words })
      reply.headers({ ...hidden, 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
      return reply.send(`${head.slice(0, -1)},"document":${document}}`)
    })
  })
}

/** English is part of the page. */
async function wordsOf({ language, direction }: PageWords): Promise<object> {
  const texts = await reportTexts(language)
  return texts === undefined ? {} : { words: { language, direction, texts } }
}
