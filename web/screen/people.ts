import { EventsScreen } from './people/events-screen.tsx'
import { InviteScreen } from './people/invite-screen.tsx'
import { PeopleScreen } from './people/people-screen.tsx'
import { PersonScreen } from './people/person-screen.tsx'

/** Who may enter, and what happened at the door. */
export const peopleScreens = { PeopleScreen, InviteScreen, PersonScreen, EventsScreen }
