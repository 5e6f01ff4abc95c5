import { render } from "preact";
import "./styles/index.css";
import { followAddress } from "./state/store";
import { App } from "./ui/App";

followAddress();
render(<App />, document.getElementById("app")!);
