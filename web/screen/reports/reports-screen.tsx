import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from '../../look/icon.tsx'
import { Pane } from '../../look/pane.tsx'
import { Row } from '../../look/row.tsx'
import { Section } from '../../look/section.tsx'
import { Title } from '../../look/title.tsx'
import { useUp } from '../../look/up.ts'
import { status } from '../../sync/status.ts'
import { ConfirmPassword } from '../owner/owner-page.tsx'
import { reportNames } from './documents.ts'
import { Links } from './links.tsx'
import { say } from './say.ts'
import { mayShare } from './share.tsx'

/** All reports, and the links to some of them that others have. */
export function ReportsScreen(): JSX.Element {
  useUp({ to: '/more', label: say('shell.more') })
  const [listing, setListing] = useState(false)
  return (
    <Pane class="book alone" name="page">
      <div class="head">
        <Title text={say('reports.title')} />
      </div>
      {status.value.kind === 'offline' && (
        <p class="banner" role="status">
          {say('reports.needs-signal')}
        </p>
      )}
      <ul>
        {reportNames.map((name) => (
          <Row
            key={name}
            to={`/reports/${name}`}
            title={say(`reports.${name}`)}
            second={say(`reports.${name}-hint`)}
            end={<Icon name="next" size="small" />}
          />
        ))}
      </ul>
      {mayShare() && (
        <Section title={say('reports.links')}>
          {listing ? (
            <Links />
          ) : (
            <li class="words">
              <button type="button" class="btn" onClick={() => setListing(true)}>
                {say('reports.show-links')}
              </button>
            </li>
          )}
        </Section>
      )}
      <ConfirmPassword />
    </Pane>
  )
}
