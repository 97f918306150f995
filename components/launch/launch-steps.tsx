import { Panel } from "@/components/ui/panel";

/** What comes after the button. */
export function LaunchSteps() {
  return (
    <Panel title="What happens next">
      <ol className="launch-next">
        <li>
          <b>Request</b>
          <span>refused or accepted within seconds; one launch every 12 s</span>
        </li>
        <li>
          <b>Booting</b>
          <span>2 to 6 min, free</span>
        </li>
        <li>
          <b>Active</b>
          <span>billing starts</span>
        </li>
        <li>
          <b>Agent reports</b>
          <span>first sample, usually within a minute</span>
        </li>
        <li>
          <b>Verified</b>
          <span>GPU, VRAM, driver, CUDA, mount and clock as ordered</span>
        </li>
      </ol>
    </Panel>
  );
}
