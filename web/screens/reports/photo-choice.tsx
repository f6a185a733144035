import type { JSX } from 'preact'
import { replace, route, withQuery } from '../../look/router.ts'
import { dayAndYear, farmTime } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { photoSource } from './register-table.tsx'
import type { InspectionDocument } from './report-words.ts'

type ListedPhoto = InspectionDocument['photos'][number]

/** Photos of the registers' logs: none is printed or handed on unless it is ticked. */
export function PhotoChoice({ photos }: Pick<InspectionDocument, 'photos'>): JSX.Element | null {
  if (photos.length === 0) return null
  const toggle = ({ id, chosen }: ListedPhoto) => {
    const others = (route.value.query.get('photos') ?? '').split(',').filter((one) => one !== '' && one !== id)
    replace(withQuery({ photos: [...others, ...(chosen ? [] : [id])].join(',') || null }))
  }
  return (
    <section>
      <h2>{say('reports.photos')}</h2>
      <p class="small soft">{say('reports.photos-about')}</p>
      <div class="rep-photos">
        {photos.map((photo) => (
          <label key={photo.id} class="ticked">
            <input type="checkbox" checked={photo.chosen} onChange={() => toggle(photo)} />
            <img src={photoSource(photo)} alt="" loading="lazy" />
            <span>
              {dayAndYear(farmTime(photo.day))} <bdi>{photo.name}</bdi>
            </span>
          </label>
        ))}
      </div>
    </section>
  )
}
