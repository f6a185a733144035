import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { languages } from '../../../src/words/languages.ts'
import { Chip } from '../../look/chip.tsx'
import { Icon } from '../../look/icon.tsx'
import { Link } from '../../look/link.tsx'
import { Row, Section } from '../../look/list.tsx'
import { Title } from '../../look/page.tsx'
import { go } from '../../look/router.ts'
import { chooseTheme, theme, themes } from '../../look/theme.ts'
import { useLogs } from '../../look/use-logs.ts'
import { mayWrite, me } from '../../store/local-copy.ts'
import { firstStepsPending, inDemo } from '../../store/local-storage.ts'
import { countUnsent } from '../../store/outbox.ts'
import { removeFarm } from '../../sync/logout.ts'
import { saveAccountLanguage } from '../../sync/online-actions.ts'
import { session } from '../../sync/session.ts'
import { status } from '../../sync/status.ts'
import { chooseLanguage, language } from '../../words/language.ts'
import { say } from '../../words/say.ts'
import { keysAct, switchKeys } from '../keys.ts'

/** Settings of this device and account, and links to those of the farm. */
export function MoreScreen(): JSX.Element {
  return (
    <>
      <div class="head">
        <Title text={say('shell.more')} />
      </div>
      {(me.value !== null || status.value.kind !== 'starting') && <Sections />}
    </>
  )
}

/** Rendered together, so that none moves another. */
function Sections(): JSX.Element {
  return (
    <>
      {me.value !== null && <Farm me={me.value} />}
      <Languages />
      <Themes />
      <Keys />
      <Device />
      {me.value !== null && !inDemo() && <Account me={me.value} />}
      {me.value !== null && <About me={me.value} />}
    </>
  )
}

type Me = NonNullable<typeof me.value>

function Themes(): JSX.Element {
  return (
    <Section title={say('more.theme')}>
      <li class="words">
        <div class="chips flat">
          {themes.map((one) => (
            <Chip key={one} pressed={one === theme.value} onPress={() => chooseTheme(one)}>
              {say(`more.theme.${one}`)}
            </Chip>
          ))}
        </div>
        <p class="small soft">{say('more.theme.sun-hint')}</p>
      </li>
    </Section>
  )
}

function Keys(): JSX.Element {
  return (
    <Section title={say('keys.title')}>
      <li class="words">
        <div class="chips flat">
          {(['on', 'off'] as const).map((one) => (
            <Chip key={one} pressed={keysAct.value === (one === 'on')} onPress={() => switchKeys(one)}>
              {say(`keys.${one}`)}
            </Chip>
          ))}
        </div>
        <p class="soft small">{say('keys.about')}</p>
      </li>
    </Section>
  )
}

function Device(): JSX.Element {
  const hasCopy = me.value !== null && !inDemo()
  return (
    <Section title={say('more.device')}>
      <Row
        to="/outbox"
        title={say('copy.ready')}
        second={say('more.device-hint')}
        end={<Icon name="next" size="small" />}
      />
      {hasCopy && (
        <li class="words">
          <p class="small soft">{say('copy.not-encrypted')}</p>
          <button type="button" class="btn spaced" onClick={remove}>
            {say('copy.remove')}
          </button>
        </li>
      )}
    </Section>
  )
}

async function remove(): Promise<void> {
  if (session.copy !== null && (await countUnsent(session.copy.database)) > 0) return go('/log-out?remove=1')
  await removeFarm()
  go('/')
}

function Account({ me: { account } }: { readonly me: Me }): JSX.Element {
  return (
    <Section title={say('more.account')}>
      <Row title={account.name} second={say(`more.role.${account.role ?? 'none'}`)} />
      <OutsideRow href="/account" title={say('more.account-page')} />
      {status.value.kind !== 'needs-login' && (
        <li class="words">
          <Link to="/log-out" class="btn">
            {say('copy.log-out')}
          </Link>
        </li>
      )}
    </Section>
  )
}

const mayRead = (): boolean => me.value?.rights.includes('read-records') ?? false
const mayRun = (): boolean => me.value?.account.role === 'manager'

/** Links to further screens, and who may see them. */
const ways = [
  ['first-steps', '/setup', firstStepsPending],
  ['people', '/people', mayRun],
  ['settings', '/settings', mayRun],
  ['reports', '/reports', mayRead],
  ['import', '/import', mayWrite],
  ['export', '/export', mayRead],
  ['trash', '/trash', mayWrite],
] as const

function Farm({ me: { farm } }: { readonly me: Me }): JSX.Element {
  const hasLogs = useLogs({ limit: 1 })?.length !== 0
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Section title={say('more.farm')}>
      {ways
        .filter(([name, , isFor]) => isFor() && !(name === 'first-steps' && hasLogs))
        .map(([name, to]) => (
          <Row
            key={name}
            to={to}
            title={say(`more.${name}`)}
            second={say(`more.${name}-hint`)}
            end={<Icon name="next" size="small" />}
          />
        ))}
      <Row title={say('more.units')} second={say(`more.units.${farm.system_of_measurement}`)} />
      <Row
        title={say('more.time-zone')}
        second={zone === farm.timezone ? farm.timezone : `${farm.timezone}. ${say('more.time-zone.differs', { zone })}`}
      />
    </Section>
  )
}

function About({ me: { farm, version } }: { readonly me: Me }): JSX.Element {
  return (
    <Section title={say('more.about')}>
      <Row title={farm.name} second={say('more.version', { version })} />
      <OutsideRow href="/docs" title={say('more.docs')} second={`${location.origin}/docs`} />
      <OutsideRow href="/openapi.json" title={say('more.api')} second={`${location.origin}/openapi.json`} />
    </Section>
  )
}

interface OutsideRowProps {
  readonly href: string
  readonly title: string
  readonly second?: string
}

/** Link to a page of the server. */
function OutsideRow({ href, title, second }: OutsideRowProps): JSX.Element {
  return (
    <li>
      <a class="row" href={href}>
        <span class="m" />
        <span class="t">
          <b>{title}</b>
          {second && <small>{second}</small>}
        </span>
        <span class="e">
          <Icon name="next" size="small" />
        </span>
      </a>
    </li>
  )
}

/** Language of this device; the account stores it for the next device. */
function Languages(): JSX.Element {
  const isMissing = useSignal(false)
  const choose = async (code: string): Promise<void> => {
    isMissing.value = !(await chooseLanguage(code))
    if (!isMissing.value) await saveAccountLanguage(code)
  }
  return (
    <Section title={say('more.language')}>
      <li class="words">
        <div class="chips flat">
          {Object.entries(languages).map(([code, { native }]) => (
            <Chip key={code} pressed={code === language.value} onPress={() => void choose(code)}>
              <span lang={code}>{native}</span>
            </Chip>
          ))}
        </div>
        {isMissing.value && (
          <p class="small" role="alert">
            {say('more.language-missing')}
          </p>
        )}
      </li>
    </Section>
  )
}
