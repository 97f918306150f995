import type { Metadata } from "next";
import { Door } from "@/components/doors/door";
import { WelcomeForm } from "@/components/doors/welcome-form";
import { accept, look } from "./actions";

export const metadata: Metadata = { title: "Welcome" };

export default function WelcomePage() {
  return (
    <Door title="Welcome" text="Choose how you are known here, and how you sign in.">
      <WelcomeForm look={look} accept={accept} />
    </Door>
  );
}
