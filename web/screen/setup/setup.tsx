import type { JSX } from 'preact'
import { Icon } from '../../look/icon.tsx'
import { Link } from '../../look/link.tsx'
import { go, route } from '../../look/router.ts'
import { Row } from '../../look/row.tsx'
import { OwnerPage } from '../owner/owner-page.tsx'
import { FieldStep, LogStep } from './by-hand-steps.tsx'
import { KeepStep } from './keep-step.tsx'
import { PhoneStep } from './phone-step.tsx'
import { say } from './say.ts'
import { endSteps, isStep, nextAfter, type Step, skip, standingOf, steps, useSteps } from './steps.ts'
import { WhereStep } from './where-step.tsx'

const pages: Readonly<Record<Step, () => JSX.Element>> = {
  keep: KeepStep,
  where: WhereStep,
  field: FieldStep,
  log: LogStep,
  phone: PhoneStep,
}

/** From an empty farm to the first log: a list of steps, and each of them. */
export function Part(): JSX.Element {
  useSteps()
  const [, , step = ''] = route.value.path.split('/')
  return isStep(step) ? <StepPage key={step} step={step} /> : <Steps />
}

function StepPage({ step }: { readonly step: Step }): JSX.Element {
  const Page = pages[step]
  const next = nextAfter(step)
  return (
    <OwnerPage title={say(`setup.${step}`)} up={{ to: '/setup', label: say('setup.to-steps') }}>
      <div class="words setup">
        <Page />
      </div>
      <div class="words setup ways">
        {standingOf(step) === 'open' ? (
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
      <div class="words setup ways">
        {next === undefined ? (
          <Link to="/" class="btn main-do" onFollow={endSteps}>
            {say('setup.to-today')}
          </Link>
        ) : (
          <>
            <Link to={`/setup/${next}`} class="btn main-do">
              {say('setup.next', { step: say(`setup.${next}`) })}
            </Link>
            <Link to="/" class="btn plain" onFollow={endSteps}>
              {say('setup.dismiss')}
            </Link>
          </>
        )}
      </div>
    </OwnerPage>
  )
}

function Ticked({ step }: { readonly step: Step }): JSX.Element {
  const standing = standingOf(step)
  return (
    <>
      <span class={standing === 'done' ? 'tick on' : 'tick'}>{standing === 'done' && <Icon name="check" />}</span>
      <span class="out">{say(`setup.${standing}`)}</span>
    </>
  )
}
