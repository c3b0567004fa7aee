//! The members in numbers: white space, overcommit, processors, transactions before and after.

use yew::prelude::*;
use zvmlab::Snapshot;
use zvmlab::snapshot::ClusterSnapshot;
use zvmlab_lab::evidence::Evidence;
use zvmlab_lab::rooms::cluster::figures::{Line, lines};

/// The table.
pub fn card(evidence: &Evidence, snapshot: &Snapshot, cluster: &ClusterSnapshot) -> Html {
    let row = |(name, about, values): Line| {
        html! {
            <tr key={name}>
                <th scope="row" title={about}>{ name }<span class="about">{ about }</span></th>
                { for values.into_iter().map(|value| html! { <td>{ value }</td> }) }
            </tr>
        }
    };
    html! {
        <section class="card members-table" aria-labelledby="members-table-title">
            <h3 id="members-table-title">{ "The room that each member has" }</h3>
            <div class="chart-table" role="region" tabindex="0" aria-label="Members in numbers">
                <table>
                    <thead><tr><th scope="col">{ "Of the member" }</th>{ for cluster.members.iter().map(|member| html! { <th scope="col">{ &member.name }</th> }) }</tr></thead>
                    <tbody>{ for lines(evidence, snapshot, cluster).into_iter().map(row) }</tbody>
                </table>
            </div>
        </section>
    }
}
