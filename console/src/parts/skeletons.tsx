// Placeholders for panels that are still loading.

export function Skeletons({ panels }: { panels: number }) {
  return (
    <div class="stack" role="status" aria-label="Loading">
      {Array.from({ length: panels }, (_, index) => (
        <div key={index} class="panel skeleton-panel">
          <span class="skeleton short" />
          <span class="skeleton" />
          <span class="skeleton" />
        </div>
      ))}
    </div>
  )
}
