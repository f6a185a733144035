import type { JSX } from 'preact'
import { route } from '../look/router.ts'
import { ApplicationsScreen } from './people/applications-screen.tsx'
import { EventsScreen } from './people/events-screen.tsx'
import { InviteScreen } from './people/invite-screen.tsx'
import { PeopleScreen } from './people/people-screen.tsx'
import { PersonScreen } from './people/person-screen.tsx'

/** Who may enter, and what happened at the door. */
export function Part(): JSX.Element {
  const [, place, who] = route.value.path.split('/')
  if (place === 'events') return <EventsScreen />
  if (place === 'applications') return <ApplicationsScreen />
  if (who === 'invite') return <InviteScreen />
  return who === undefined ? <PeopleScreen /> : <PersonScreen id={who} />
}
