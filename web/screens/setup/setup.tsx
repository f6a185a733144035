import type { JSX } from 'preact'
import { owner } from '../../../src/words/en/owner.ts'
import { setup } from '../../../src/words/en/setup.ts'
import { Failed } from '../../look/failure.tsx'
import { Icon } from '../../look/icon.tsx'
import { Link } from '../../look/link.tsx'
import { Row } from '../../look/list.tsx'
import { base, go, route } from '../../look/router.ts'
import { addWords, say } from '../../words/say.ts'
import { settingsFailure, useSettings } from '../owner/farm-settings.ts'
import { OwnerPage } from '../owner/owner-page.tsx'
import { Qr } from '../owner/share-link.tsx'
import { KeepStep } from './keep-step.tsx'
import { actionClass, endSteps, isStep, nextAfter, type SetupStep, skip, stateOf, steps, useSteps } from './steps.ts'
import { WhereStep } from './where-step.tsx'

addWords(owner, setup)

const pages: Readonly<Record<SetupStep, () => JSX.Element>> = {
  keep: KeepStep,
  where: WhereStep,
  field: FieldStep,
  log: LogStep,
  phone: PhoneStep,
}

/** Setup of an empty farm: a list of steps, and each step. */
export function Part(): JSX.Element {
  useSteps()
  const [, , step = ''] = route.value.path.split('/')
  return isStep(step) ? <StepPage key={step} step={step} /> : <Steps />
}

function StepPage({ step }: { readonly step: SetupStep }): JSX.Element {
  const Page = pages[step]
  const next = nextAfter(step)
  return (
    <OwnerPage title={say(`setup.${step}`)} up={{ to: '/setup', label: say('setup.to-steps') }}>
      <div class="words setup">
        <p class="soft small">{say('setup.step-of', { number: steps.indexOf(step) + 1, count: steps.length })}</p>
        <Page />
      </div>
      <div class="foot setup ways">
        {stateOf(step) === 'open' ? (
          <button
            type="button"
            class="btn tall"
            onClick={() => {
              skip(step)
              go(next === undefined ? '/setup' : `/setup/${next}`)
            }}
          >
            {say('setup.skip')}
          </button>
        ) : (
          <Link to={next === undefined ? '/setup' : `/setup/${next}`} class="btn main-do">
            {next === undefined ? say('setup.to-steps') : say('setup.next', { step: say(`setup.${next}`) })}
          </Link>
        )}
      </div>
    </OwnerPage>
  )
}

function Steps(): JSX.Element {
  const next = nextAfter()
  return (
    <OwnerPage title={say('setup.title')}>
      <p class="words soft">{say(next === undefined ? 'setup.all-done' : 'setup.intro')}</p>
      <ol>
        {steps.map((step) => (
          <Row
            key={step}
            to={`/setup/${step}`}
            margin={<Ticked step={step} />}
            title={say(`setup.${step}`)}
            second={say(`setup.${step}-hint`)}
            end={<Icon name="next" size="small" />}
          />
        ))}
      </ol>
      {next !== undefined && (
        <p class="words">
          <Link to="/" class="btn plain" onFollow={endSteps}>
            {say('setup.dismiss')}
          </Link>
        </p>
      )}
      <div class="foot setup ways">
        {next === undefined ? (
          <Link to="/" class="btn main-do" onFollow={endSteps}>
            {say('setup.to-today')}
          </Link>
        ) : (
          <Link to={`/setup/${next}`} class="btn main-do">
            {say('setup.next', { step: say(`setup.${next}`) })}
          </Link>
        )}
      </div>
    </OwnerPage>
  )
}

function Ticked({ step }: { readonly step: SetupStep }): JSX.Element {
  const state = stateOf(step)
  return (
    <>
      <span class={state === 'done' ? 'tick on' : 'tick'}>{state === 'done' && <Icon name="check" />}</span>
      <span class="out">{say(`setup.${state}`)}</span>
    </>
  )
}

/** Links to the everyday screens. */
export function FieldStep(): JSX.Element {
  return (
    <>
      <p>{say('setup.field-why')}</p>
      <Link to="/draw" class={actionClass('field')}>
        {say('setup.field-do')}
      </Link>
    </>
  )
}

export function LogStep(): JSX.Element {
  return (
    <>
      <p>{say('setup.log-why')}</p>
      <Link to="/add/observe" class={actionClass('log')}>
        {say('setup.log-do')}
      </Link>
    </>
  )
}

/** Address for a phone, or how to get one. */
export function PhoneStep(): JSX.Element {
  const settings = useSettings()
  if (settings === null)
    return settingsFailure.value === null ? (
      <p role="status">{say('shell.loading')}</p>
    ) : (
      <Failed failure={settingsFailure.value} />
    )
  return (
    <>
      {settings.addresses.length === 0 ? <Alone /> : <Addresses addresses={settings.addresses} />}
      <button
        type="button"
        class={actionClass('phone')}
        onClick={() => {
          skip('phone-done')
          const next = nextAfter('phone')
          go(next === undefined ? '/setup' : `/setup/${next}`)
        }}
      >
        {say('setup.phone-do')}
      </button>
    </>
  )
}

function Addresses({ addresses }: { readonly addresses: readonly string[] }): JSX.Element {
  return (
    <>
      <p>{say('setup.phone-scan')}</p>
      {addresses.map(addressOfApp).map((address) => (
        <figure key={address} class="address">
          <Qr text={address} />
          <figcaption>{address}</figcaption>
        </figure>
      ))}
      <p class="soft">{say('setup.phone-same')}</p>
      {addresses.every((address) => address.startsWith('http:')) && (
        <p class="soft">
          {say('setup.phone-https')} <a href="/docs/phone">{say('setup.phone-how')}</a>
        </p>
      )}
    </>
  )
}

const addressOfApp = (address: string): string => `${address}${base}/`

function Alone(): JSX.Element {
  return (
    <>
      <p>{say('setup.phone-alone')}</p>
      <pre class="card">
        <code>{say('setup.phone-command')}</code>
      </pre>
      <p>{say('setup.phone-then')}</p>
      <p class="soft">
        {say('setup.phone-https')} <a href="/docs/phone">{say('setup.phone-how')}</a>
      </p>
    </>
  )
}
