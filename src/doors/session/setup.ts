import type { FastifyInstance, FastifyReply } from 'fastify'
import { requireSetup, SetupIsOver, setUp } from '../../access/first-run.ts'
import type { Installation } from '../../access/installation.ts'
import { nameLength } from '../../access/names.ts'
import { passwordBytes } from '../../access/passwords.ts'
import type { ConfirmedSession } from '../../access/sessions.ts'
import type { Language } from '../../farm/farm.ts'
import { valueInQuery } from '../../formats/query-string.ts'
import { Refusal } from '../../refusal.ts'
import type { PageWords } from '../../words/page-words.ts'
import { readForm } from '../http/body.ts'
import { type Html, html } from '../http/html.ts'
import { prefersHtml } from '../http/negotiation.ts'
import { requireSameSite } from '../http/origin.ts'
import { answerWithPage, sendPage } from '../http/page.ts'
import { demoLink, goTo, startSession } from './login.ts'
import { faultBelow, invalidBy, type PasswordFault, passwordFaultOf, typedTwice } from './password-fields.ts'

interface SetupForm {
  readonly key: string
  readonly farmName: string
  readonly systemOfMeasurement: string
  readonly timezone: string
  readonly language: string
  readonly name: string
  readonly fault?: PasswordFault
}

/** The setup page: the farm and its first manager. It answers 404 without the key, and for everyone afterwards. */
export function addSetup(scope: FastifyInstance, installation: Installation): void {
  scope.register(async (pages) => {
    pages.setErrorHandler(async (thrown, request, reply) => {
      if (!(thrown instanceof SetupIsOver && prefersHtml(request))) return answerWithPage(thrown, request, reply)
      const words = await request.server.wordsFor(request)
      return sendPage(reply, { title: words.say('setup.over'), main: wayIn(words), status: thrown.status, words })
    })
    addSetupPage(pages, installation)
  })
}

const wayIn = ({ say }: PageWords): Html => html`<p>${say('setup.over-about')}</p>
<p><a class="button" href="/user/login">${say('page.log-in')}</a></p>`

function addSetupPage(scope: FastifyInstance, installation: Installation): void {
  scope.get('/setup', async (request, reply) => {
    const key = valueInQuery(request.url, 'key') ?? ''
    await requireSetup(installation, key)
    const words = await request.server.wordsFor(request)
    const fresh = { farmName: '', systemOfMeasurement: 'metric', timezone: 'UTC', language: words.language, name: '' }
    return sendSetupPage(reply, installation, { words, form: { key, ...fresh } })
  })

  scope.post('/setup', async (request, reply) => {
    requireSameSite(request, installation)
    const { values } = readForm(request)
    const form = {
      key: values.get('key') ?? '',
      farmName: values.get('farm_name') ?? '',
      systemOfMeasurement: values.get('system_of_measurement') ?? '',
      timezone: values.get('timezone') ?? '',
      language: values.get('language') ?? '',
      name: values.get('name') ?? '',
    }
    const words = await request.server.wordsFor(request)
    const password = () => typedTwice(values, 'pass', words)
    const manager = await setUpFrom(installation, () => ({ ...form, password: password() }))
    if (manager instanceof Refusal)
      return sendSetupPage(reply, installation, { words, form: { ...form, fault: passwordFaultOf(manager) } })
    await startSession(request, reply, { installation, proven: manager })
    const path = installation.settings.app ? '/app/setup' : '/account?done=setup'
    return goTo(request, reply, { installation, path })
  })
}

async function setUpFrom(
  installation: Installation,
  filledIn: () => Parameters<typeof setUp>[1],
): Promise<ConfirmedSession | Refusal> {
  try {
    return await setUp(installation, filledIn())
  } catch (error) {
    if (error instanceof Refusal && error.refusal === 'invalid-content') return error
    throw error
  }
}

interface SetupPageContent {
  readonly words: PageWords
  readonly form: SetupForm
}

function sendSetupPage(
  reply: FastifyReply,
  { farm, settings }: Installation,
  { words, form }: SetupPageContent,
): FastifyReply {
  const status = form.fault === undefined ? 200 : 422
  const main = html`${setupForm(form, words, farm.languages)}${settings.app ? demoLink(words) : null}`
  return sendPage(reply, { title: words.say('setup.title'), main, status, script: setupScriptPath, words })
}

export const setupScriptPath = '/furrow-setup.js'

const zones = (): readonly string[] => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]

const option = (value: string, words: string, chosen: string): Html =>
  value === chosen
    ? html`<option value="${value}" selected>${words}</option>`
    : html`<option value="${value}">${words}</option>`

function setupForm(form: SetupForm, { say }: PageWords, languages: readonly Language[]): Html {
  const { key, farmName, systemOfMeasurement, timezone, language, name, fault } = form
  const differ = fault?.field === 'again' ? fault.message : undefined
  const radio = (value: string, words: string) =>
    value === systemOfMeasurement
      ? html`<label><input type="radio" name="system_of_measurement" value="${value}" checked> ${words}</label>`
      : html`<label><input type="radio" name="system_of_measurement" value="${value}"> ${words}</label>`
  return html`<p>${say('setup.about')}</p>
${fault === undefined || differ !== undefined ? null : html`<p class="alert" role="alert">${fault.message}</p>`}
<form method="post" action="/setup" data-guess="${fault === undefined ? 'yes' : 'no'}">
<input type="hidden" name="key" value="${key}">
<label for="farm_name">${say('setup.farm-name')}</label>
<input id="farm_name" name="farm_name" value="${farmName}" autocomplete="organization" maxlength="255" required>
<fieldset>
<legend>${say('setup.units')}</legend>
${radio('metric', say('setup.metric'))}
${radio('us', say('setup.us'))}
</fieldset>
<label for="language">${say('setup.language')}</label>
<select id="language" name="language">${languages.map((one) => option(one.language, one.native, language))}</select>
<label for="timezone">${say('setup.time-zone')}</label>
<select id="timezone" name="timezone">${zones().map((zone) => option(zone, zone, timezone))}</select>
<label for="name">${say('setup.name')}</label>
<input id="name" name="name" value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="${nameLength}" required>
<label for="pass">${say('setup.password')}</label>
<input id="pass" name="pass" type="password" autocomplete="new-password" minlength="${passwordBytes.least}" aria-describedby="pass-hint" required>
<p class="soft" id="pass-hint">${say('setup.password-hint', { least: passwordBytes.least })}</p>
<label for="again">${say('setup.again')}</label>
<input id="again" name="again" type="password" autocomplete="new-password" minlength="${passwordBytes.least}" required${invalidBy('again', differ)}>
${faultBelow('again', differ)}
<button type="submit">${say('setup.begin')}</button>
</form>`
}

/** Fills the browser's zone and language into the setup form. Without scripts the user fills them in. */
export const setupScript = `'use strict'
const form = document.querySelector('form[action="/setup"]')
if (form && form.dataset.guess === 'yes') {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const zones = form.elements.timezone
  if (timeZone) {
    if (![...zones.options].some(({ value }) => value === timeZone)) zones.add(new Option(timeZone, timeZone))
    zones.value = timeZone
  }
  const languages = navigator.languages ?? [navigator.language]
  const region = languages.map((one) => /-([A-Z]{2})\\b/.exec(one)?.[1]).find((one) => one !== undefined)
  if (['US', 'LR', 'MM'].includes(region)) form.elements.system_of_measurement.value = 'us'
  const spoken = languages.map((one) => one.slice(0, 2))
  const known = [...form.elements.language.options].map(({ value }) => value)
  const language = spoken.find((one) => known.includes(one))
  if (language) form.elements.language.value = language
}
`
