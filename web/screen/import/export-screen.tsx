import type { JSX } from 'preact'
import { Row } from '../../look/row.tsx'
import { Section } from '../../look/section.tsx'
import { Title } from '../../look/title.tsx'
import { useUp } from '../../look/up.ts'
import { status } from '../../sync/status.ts'
import { say } from './say.ts'

const records = ['log', 'farm_asset', 'taxonomy_term'] as const

/** What can be had of the farm without a terminal, and which command has the rest. */
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
            end={<Download what={say(`export.${resource}`)} href={`/${resource}`} format="csv" />}
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
  readonly format: 'csv' | 'geojson' | 'kml'
}

function Download({ what, href, format }: DownloadProps): JSX.Element {
  const name = say(`export.${format}`)
  return (
    <a class="btn plain" href={`${href}.${format}`} download="" aria-label={say('export.as', { what, format: name })}>
      {name}
    </a>
  )
}
