import type { JSX } from 'preact'
import { areaBundle } from '../../../src/farm/bundle-names.ts'
import { bringing } from '../../../src/words/en/import.ts'
import { Icon } from '../../look/icon.tsx'
import { Link } from '../../look/link.tsx'
import { Row, Section } from '../../look/list.tsx'
import { Empty, Loading, Title, useUp } from '../../look/page.tsx'
import { route } from '../../look/router.ts'
import { whyReadOnly } from '../../look/strip.tsx'
import { mayWrite, me } from '../../store/local-copy.ts'
import { status } from '../../sync/status.ts'
import { addWords, say } from '../../words/say.ts'
import { CountsLine, countsOf, savedCount } from './counts.tsx'
import { Findings } from './findings.tsx'
import { recordsAddress } from './import-api.ts'
import { check, importIt, stop, undo } from './import-requests.ts'
import {
  checked,
  failure,
  hasRows,
  type ImportFailure,
  type ImportOutcome,
  isStale,
  outcome,
  rowType,
  source,
  startAnew,
  undoProgress,
  work,
} from './import-state.ts'
import { SourceFields } from './source-fields.tsx'
import { TrashScreen } from './trash.tsx'

addWords(bringing)

/** Import and export of sheets and maps, and the trash. */
export function Part(): JSX.Element {
  const { path } = route.value
  if (path === '/trash') return <TrashScreen />
  return path === '/export' ? <ExportScreen /> : <ImportScreen />
}

/** Import of a sheet or map: choose, preview, correct, import, undo. */
export function ImportScreen(): JSX.Element {
  useUp({ to: '/more', label: say('shell.more') })
  return (
    <>
      <div class="head">
        <Title text={say('import.title')} />
      </div>
      <Steps />
    </>
  )
}

function Steps(): JSX.Element {
  const { kind } = status.value
  if (me.value === null)
    return kind === 'starting' || kind === 'loading' ? (
      <Loading />
    ) : (
      <Empty text={say('shell.failed.unauthenticated')} />
    )
  // A manager allows recording in a trial from here.
  if (!mayWrite() && me.value.account.role !== 'manager') return <Empty text={whyReadOnly()} />
  if (outcome.value !== null) return <ImportResult outcome={outcome.value} />
  return (
    <>
      {kind === 'offline' && (
        <p class="banner" role="status">
          {say('import.offline')}
        </p>
      )}
      {/* Locked during a request. */}
      <fieldset disabled={work.value !== null}>
        <SourceFields />
        {source.value === null && me.value.account.role === 'manager' && (
          <Section title={say('import.farmos')}>
            <Row to="/moving" title={say('import.farmos-hint')} end={<Icon name="next" size="small" />} />
          </Section>
        )}
        {source.value !== null && <Findings />}
      </fieldset>
      {source.value !== null && <NextAction />}
    </>
  )
}

/** Result of an import, with link and Undo. */
function ImportResult({ outcome }: { readonly outcome: ImportOutcome }): JSX.Element {
  const { counts, isUndone } = outcome
  const rows = hasRows(source.value) ? rowType.value : null
  return (
    <Section title={say('import.done')}>
      <li class="words">
        <p role="status">{isUndone ? say('import.undone') : <CountsLine counts={counts} />}</p>
        <div class="ways">
          {!isUndone && (
            <Link to={recordsAddress(rows ?? { type: 'term', bundle: areaBundle })} class="btn">
              {say('import.to-records')}
            </Link>
          )}
          <UndoButton outcome={outcome} />
          <button type="button" class="btn" onClick={() => startAnew()}>
            {say('import.another')}
          </button>
        </div>
        <p role="status">{work.value !== null && say(`import.${work.value}`)}</p>
        <UndoProgress />
        <FailureMessage />
      </li>
    </Section>
  )
}

function UndoButton({ outcome: { counts, set, isUndone } }: { readonly outcome: ImportOutcome }): JSX.Element | null {
  if (isUndone || set === null || savedCount(counts) === 0) return null
  return (
    <button type="button" class="btn" disabled={work.value !== null} onClick={undo}>
      <Icon name="undo" />
      {say('act.undo')}
    </button>
  )
}

function UndoProgress(): JSX.Element | null {
  if (undoProgress.value === null) return null
  const { done, records } = undoProgress.value
  return <progress value={done} max={records} aria-label={say('import.undoing')} />
}

/** Next action: check, or import. */
function NextAction(): JSX.Element {
  return (
    <div class="words">
      <FailureMessage />
      <p role="status">{work.value !== null && say(`import.${work.value}`)}</p>
      {work.value === null && <Buttons />}
      {work.value === 'checking' && (
        <button type="button" class="btn" onClick={stop}>
          {say('import.stop')}
        </button>
      )}
    </div>
  )
}

function Buttons(): JSX.Element | null {
  const found = checked.value
  const counts = found === null ? {} : countsOf(found)
  if (counts.created === undefined || isStale.value) return <CheckButton />
  const count = savedCount(counts)
  const { fault = 0 } = counts
  if (count === 0 && fault > 0) return null
  if (count === 0) return <p>{say(counts.unchanged === 0 ? 'import.nothing-in-it' : 'import.nothing-new')}</p>
  const keep = () => importIt(fault > 0 ? 'left-out' : 'none')
  return (
    <button type="button" class={fault > 0 ? 'btn tall fill' : 'btn main-do fill'} onClick={keep}>
      {say(fault > 0 ? 'import.without-faults' : 'import.import', { count })}
    </button>
  )
}

function CheckButton(): JSX.Element | null {
  if (hasRows(source.value) && rowType.value === null) return null
  return (
    <button type="button" class="btn main-do fill" onClick={check}>
      {say(checked.value === null ? 'import.check' : 'import.check-again')}
    </button>
  )
}

/** Failure and advice. */
function FailureMessage(): JSX.Element | null {
  const failed = failure.value
  if (failed === null) return null
  return (
    <p class="fault" role="alert">
      {wordsOf(failed)}
    </p>
  )
}

function wordsOf({ failure, doing, detail, errors, status }: ImportFailure): string {
  if (failure === 'offline' && doing !== 'checking') return say('import.lost')
  if (failure !== 'failed' || detail === '') return say(`shell.failed.${failure}`)
  // The faults are listed, so their summary is omitted.
  return status === 422 && doing === 'checking' && errors.length > 0 ? say('import.problems-found') : detail
}

const records = ['log', 'farm_asset', 'taxonomy_term'] as const

/** Downloads the app offers, and the commands for the rest. */
export function ExportScreen(): JSX.Element {
  useUp({ to: '/more', label: say('shell.more') })
  return (
    <>
      <div class="head">
        <Title text={say('export.title')} />
      </div>
      {status.value.kind === 'offline' && (
        <p class="banner" role="status">
          {say('shell.failed.offline')}
        </p>
      )}
      <Section title={say('export.sheets')}>
        {([...records, 'user'] as const).map((resource) => (
          <Row
            key={resource}
            title={say(`export.${resource}`)}
            end={(['xlsx', 'csv'] as const).map((format) => (
              <Download key={format} what={say(`export.${resource}`)} href={`/${resource}`} format={format} />
            ))}
          />
        ))}
        <li class="words small soft">{say('export.sheets-hint')}</li>
      </Section>
      <Section title={say('export.maps')}>
        {records.toReversed().map((resource) => {
          const what = say(`export.map-${resource}`)
          return (
            <Row
              key={resource}
              title={what}
              end={(['geojson', 'kml'] as const).map((format) => (
                <Download key={format} what={what} href={`/${resource}`} format={format} />
              ))}
            />
          )
        })}
      </Section>
      <Section title={say('export.everything')}>
        <li class="words small">{say('export.list-hint')}</li>
        <li class="words small">{say('export.everything-hint')}</li>
      </Section>
    </>
  )
}

interface DownloadProps {
  readonly what: string
  readonly href: string
  readonly format: 'xlsx' | 'csv' | 'geojson' | 'kml'
}

function Download({ what, href, format }: DownloadProps): JSX.Element {
  const name = say(`export.${format}`)
  return (
    <a
      class="btn plain"
      href={`${href}.${format}${format === 'csv' ? `?${csvQuery()}` : ''}`}
      download=""
      aria-label={say('export.as', { what, format: name })}
    >
      {name}
    </a>
  )
}

/** Parameters of CSV that a spreadsheet of the app's language opens right by a double click. */
function csvQuery(): string {
  const code = document.documentElement.lang || 'en'
  const commas = code === 'en' ? '' : '&sep=semicolon&decimal=,'
  return `head=label&times=local&bom=1&language=${code}${commas}`
}
