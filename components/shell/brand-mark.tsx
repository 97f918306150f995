/** The hopper: what goes in above comes out below. */
export function BrandMark() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M2 3.5h16l-3.2 4H5.2z" fill="currentColor" />
      <path d="M5.8 9h8.4l-2.2 3H8z" fill="currentColor" opacity=".62" />
      <path d="M8.5 13.5h3V18l-3-1.5z" fill="var(--accent)" />
    </svg>
  );
}
