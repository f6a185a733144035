import type { Engine } from '../database.ts'
import type { JournalFeed } from './feed-slice.ts'
import { postgresFeed } from './postgres-feed.ts'
import { sqliteFeed } from './sqlite-feed.ts'

const feeds: Readonly<Record<Engine, JournalFeed>> = { sqlite: sqliteFeed, postgres: postgresFeed }

export const readJournalFeed: JournalFeed = (snapshot, question) => feeds[snapshot.engine](snapshot, question)
